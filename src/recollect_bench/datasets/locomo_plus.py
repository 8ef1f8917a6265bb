"""LoCoMo-Plus: a remark whose right answer needs something said weeks before, in other words.

``locomo_plus.json`` holds ``[{"relation_type", "cue_dialogue", "trigger_query", "time_gap"}]``; a dialogue is
lines that begin with ``A:`` or ``B:``. As the published ``data/unified_input.py`` does, each entry goes into
one of LoCoMo's conversations in turn: the cue as a session ``time_gap`` before a week after the last one, the
trigger asked at the end. Unlike there, all entries of a conversation share it, so that a cue must be told
from the others. Written from github.com/xjtuleeyf/Locomo-Plus (data/README.md, build_conv.py,
unified_input.py), not tried on the data.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets import locomo
from recollect_bench.datasets.shapes import Conversation, Dataset, Question, Turn, read_entries

TITLE: Final = "LoCoMo-Plus: what was said long before shapes an answer"
SOURCE: Final = "https://github.com/xjtuleeyf/Locomo-Plus"
FILES: Final = "locomo_plus.json,locomo10.json"
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = (
    "Recollect's ranking was not chosen on its cues, but on LoCoMo's conversations around them."
)

_GAP: Final = re.compile(r"\b(\d+|[a-z]+)\s+(week|month|year)s?\b")
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_DAYS: Final = {"week": 7, "month": 30, "year": 365}


def load(plus: Path, conversations: Path) -> Dataset:
    """LoCoMo's conversations with the cues among their sessions; its own questions are left out."""
    known = locomo.load(conversations).conversations
    said = [entry["conversation"] for entry in read_entries(conversations)]
    speakers = [{"A": one["speaker_a"], "B": one["speaker_b"]} for one in said]
    entries = list(enumerate(read_entries(plus)))
    texts = [entry[name] for _, entry in entries for name in ("cue_dialogue", "trigger_query")]
    return Dataset(
        name="locomo-plus",
        conversations=tuple(
            _stitched(conversation, speakers[place], entries[place :: len(known)])
            for place, conversation in enumerate(known)
        ),
        left_out={
            "questions of LoCoMo's own": sum(len(one.questions) for one in known),
            "lines of a cue or trigger that name no speaker": sum(map(_unspoken, texts)),
        },
    )


def _stitched(
    conversation: Conversation,
    speakers: Mapping[str, str],
    entries: Sequence[tuple[int, Mapping[str, Any]]],
) -> Conversation:
    last = max(turn.time for turn in conversation.turns if turn.time)
    turns, questions = list(conversation.turns), []
    for number, entry in entries:
        time = last + timedelta(days=7) - timedelta(days=_days(entry["time_gap"]))
        cue = list(_cue(entry["cue_dialogue"], f"plus_{number}", speakers, time))
        turns += cue
        questions.append(
            Question(
                text=" ".join(text for _, text in _lines(entry["trigger_query"])),
                gold=tuple(turn.id for turn in cue),
                category=entry.get("relation_type") or "cognitive",
                answer=None,
            )
        )
    turns.sort(key=lambda turn: turn.time or last)
    return replace(conversation, turns=tuple(turns), questions=tuple(questions))


def _cue(text: str, session: str, speakers: Mapping[str, str], time: datetime) -> Iterator[Turn]:
    for number, (who, said) in enumerate(_lines(text), start=1):
        yield Turn(
            id=f"{session}:{number}",
            session=session,
            speaker=speakers[who],
            role="user",
            text=said,
            time=time,
        )


def _lines(dialogue: str) -> Iterator[tuple[str, str]]:
    """Who says what: A or B, and the words."""
    for line in dialogue.splitlines():
        who, mark, said = line.strip().partition(":")
        if mark and who in {"A", "B"}:
            yield who, said.strip()


def _unspoken(dialogue: str) -> int:
    """Lines that ``_lines`` has no use for."""
    return sum(bool(line.strip()) for line in dialogue.splitlines()) - len(list(_lines(dialogue)))


def _days(gap: str) -> int:
    """Days of a gap such as "two weeks later"; 0 where it names none.

    >>> _days("about three months later"), _days("a year later"), _days("later")
    (90, 365, 0)
    """
    found = _GAP.search(gap.lower())
    if not found:
        return 0
    count = int(found[1]) if found[1].isdigit() else _NUMBERS.get(found[1], 0)
    return count * _DAYS[found[2]]
