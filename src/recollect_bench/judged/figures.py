"""The figures of a run: what each judge says of each system, and how far that judge is to be trusted."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from recollect_bench.datasets.shapes import sha256_of
from recollect_bench.folder import FORMAT
from recollect_bench.judged.agreement import cohen_kappa, krippendorff_alpha
from recollect_bench.judged.calls import Prompt, ServedModel
from recollect_bench.judged.cases import SEED
from recollect_bench.judged.handmade import hand_made, hand_made_digest
from recollect_bench.judged.judging import Judging
from recollect_bench.judged.traps import VAGUE, WRONG, traps_for
from recollect_bench.prompts.answer import ANSWER
from recollect_bench.prompts.verdict import RIGHT, VERDICT
from recollect_bench.provenance import provenance
from recollect_bench.statistics import groups_of, holm, interval, paired

MOST_PASSED: Final = 0.1
"""The share of traps that a judge may pass and be trusted. Chosen by hand."""
LEAST_KAPPA: Final = 0.6
"""The agreement with the verdicts made by hand below which a judge is not trusted; above, Landis and Koch
(1977) call it substantial."""

_OPENAI: Final = "https://api.openai.com/v1"
_Verdicts = Mapping[str, Sequence[str | None]]
"""What each judge says of the answers, in their order; None where it cannot be read."""
_Judged = Sequence[tuple[str, str | None]]
"""For each question its conversation and the verdict on a system's answer."""


def judged_result(judging: Judging) -> dict[str, Any]:
    """What a run found, as ``bench report`` reads it."""
    cases, data = judging.cases, judging.cases.data
    answers = list(judging.answers())
    verdicts = {
        judge.name: [judging.verdict(judge, case, answer) for case, _, answer in answers]
        for judge in judging.judges
    }
    judged = {
        judge: {
            system: [
                (case.conversation, verdict)
                for (case, of, _), verdict in zip(answers, found, strict=True)
                if of == system
            ]
            for system in cases.commits
        }
        for judge, found in verdicts.items()
    }
    return {
        "benchmark": "judged",
        "format": FORMAT,
        "dataset": data.name,
        "title": data.title,
        "command": _command(judging),
        "files": {path.name: sha256_of(path) for path in data.paths},
        "made": provenance(),
        "found_at": dict(cases.commits),
        "gold": cases.gold,
        "context_tokens": cases.tokens,
        "questions": {"drawn": len(cases.drawn), "of": cases.of, "seed": SEED},
        "prompts": {one.id: one.digest for one in (ANSWER, VERDICT)},
        "hand_made": {"lines": len(hand_made()), "file": hand_made_digest()},
        "answers": _asked(judging, judging.answerer, judging.answer_prompts()),
        "judges": {judge.name: _graded(judging, judge) for judge in judging.judges},
        "agreement": _agreement(verdicts),
        "compared": _compared(judged),
        "systems": {
            system: {judge: _figure(found[system]) for judge, found in judged.items()}
            for system in cases.commits
        },
    }


def _compared(judged: Mapping[str, Mapping[str, _Judged]]) -> dict[str, Any]:
    """The first system with each other by each judge, on the questions where both have a verdict.

    The test is that of ``bench run``; Holm's correction is over all systems and all judges.
    """
    base, *others = next(iter(judged.values()))
    rows = {
        (judge, other): _paired(found[base], found[other])
        for judge, found in judged.items()
        for other in others
    }
    tested = {key: row for key, row in rows.items() if "p" in row}
    adjusted = holm([row["p"] for row in tested.values()])
    for row, p in zip(tested.values(), adjusted, strict=True):
        row["p_holm"] = p
    return {
        "with": base,
        "judges": {judge: {other: rows[judge, other] for other in others} for judge in judged},
    }


def _paired(first: _Judged, second: _Judged) -> dict[str, Any]:
    """How much more often the first is right; how many questions alone where there are none."""
    both = [
        (one[0], one[1] == RIGHT, other[1] == RIGHT)
        for one, other in zip(first, second, strict=True)
        if one[1] is not None and other[1] is not None
    ]
    if not both:
        return {"questions": 0}
    groups, unit = groups_of([conversation for conversation, _, _ in both])
    values = np.array([pair for _, *pair in both], float)
    return {**paired(values[:, 0], values[:, 1], groups), "questions": len(both), "resampled": unit}


def _command(judging: Judging) -> str:
    """What to type to make this result again, with every server's address; keys are in no part of it."""
    cases = judging.cases
    words = ["recollect", "bench", "judge", str(cases.folder), "--data", cases.data.named]
    words += ["--systems", ",".join(cases.commits), "--model", _named(judging.answerer)]
    words += [word for judge in judging.judges for word in ("--judge", _named(judge))]
    words += ["--tokens", str(cases.tokens), "--limit", str(len(cases.drawn))]
    return shlex.join(words)


def _named(model: ServedModel) -> str:
    """A model as ``--model`` takes it. OpenAI's address is left out: with it no key would be sent."""
    return model.name if model.server == _OPENAI else f"{model.name}@{model.server}"


def _asked(judging: Judging, model: ServedModel, prompts: Iterable[Prompt]) -> dict[str, Any]:
    """Who was asked, when, and how much."""
    rows = judging.calls.kept(model, prompts)
    days = sorted({row["day"] for row in rows})
    return {
        "model": model.name,
        "server": model.server,
        "days": [days[0], days[-1]],
        "calls": len(rows),
        "unread": sum(bool(row["unread"]) for row in rows),
        "input_tokens": sum(row["input_tokens"] for row in rows),
        "output_tokens": sum(row["output_tokens"] for row in rows),
    }


def _figure(judged: _Judged) -> dict[str, Any]:
    """The share of right answers among those with a verdict, and how many have none."""
    read = [(conversation, verdict == RIGHT) for conversation, verdict in judged if verdict is not None]
    counts = {
        "right": sum(right for _, right in read),
        "judged": len(read),
        "unread": len(judged) - len(read),
    }
    if not read:
        return counts
    values = np.array([float(right) for _, right in read])
    groups, unit = groups_of([conversation for conversation, _ in read])
    low, high = interval(values, groups)
    return {**counts, "mean": float(values.mean()), "low": low, "high": high, "resampled": unit}


def _agreement(verdicts: _Verdicts) -> dict[str, Any] | None:
    """Krippendorff's alpha of all judges over the systems' answers; None for one judge alone."""
    if len(verdicts) < 2:  # noqa: PLR2004 - it takes two
        return None
    units = [[one for one in unit if one is not None] for unit in zip(*verdicts.values(), strict=True)]
    return {
        "alpha": krippendorff_alpha(units),
        "answers": sum(len(unit) > 1 for unit in units),
        "differing": sum(len(set(unit)) > 1 for unit in units),
    }


def _graded(judging: Judging, judge: ServedModel) -> dict[str, Any]:
    """What a judge did with traps and with the lines judged by hand, and why it is not to be trusted."""
    traps, by_hand = _passed(judging, judge), _as_by_hand(judging, judge)
    return {
        **_asked(judging, judge, judging.verdict_prompts()),
        "traps": traps,
        "hand_made": by_hand,
        "doubts": _doubts(list(traps.values()), by_hand["kappa"]),
    }


def _passed(judging: Judging, judge: ServedModel) -> dict[str, dict[str, int]]:
    """How many traps of each kind a judge took for right."""
    found: dict[str, list[str | None]] = {VAGUE: [], WRONG: []}
    for trap in traps_for(judging.cases.drawn):
        found[trap.kind].append(judging.verdict(judge, trap, trap.answer))
    return {
        kind: {
            "passed": verdicts.count(RIGHT),
            "of": len(verdicts) - verdicts.count(None),
            "unread": verdicts.count(None),
        }
        for kind, verdicts in found.items()
    }


def _as_by_hand(judging: Judging, judge: ServedModel) -> dict[str, Any]:
    """How often a judge says what was said by hand, and on which kinds of answers it does not."""
    found = [(line, judging.verdict(judge, line, line.answer)) for line in hand_made()]
    read = [(line, verdict) for line, verdict in found if verdict is not None]
    differing = [line.kind for line, verdict in read if verdict != line.verdict]
    return {
        "agreed": len(read) - len(differing),
        "of": len(read),
        "unread": len(found) - len(read),
        "kappa": cohen_kappa([line.verdict for line, _ in read], [one for _, one in read]),
        "differs_on": {kind: differing.count(kind) for kind in sorted(set(differing))},
    }


def _doubts(traps: Sequence[Mapping[str, int]], kappa: float | None) -> list[str]:
    """Why a judge is not to be trusted; nothing if it is."""
    passed, read = sum(one["passed"] for one in traps), sum(one["of"] for one in traps)
    doubts = []
    if not read:
        doubts.append("it read no trap")
    elif passed / read > MOST_PASSED:
        doubts.append(f"it passed {passed} of {read} traps")
    if kappa is None or kappa < LEAST_KAPPA:
        doubts.append("it agrees too little with the verdicts made by hand")
    return doubts
