"""The page's sections on what is found in words: importance, intents, and what reading costs."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, labels_targets, number
from recollect_bench.datasets import short_title

_GROUPS: Final = {"all": "all turns", "user": "the person's turns"}
_LANGUAGES: Final = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "zh": "Chinese",
}  # fmt: skip
_SURE: Final = 1.96
"""Standard deviations that hold 95 of 100 results of guessing."""
_BASELINES: Final = {
    "recollect": "**Recollect**", "words only": "words only", "meaning only": "meaning only",
}  # fmt: skip
_ASKED: Final = {
    "coverage": "answered (coverage)",
    "precision": "right, of the answered (precision)",
    "out_of_scope_detected": "out of scope, found unknown",
}

_AREA: Final = """\
## Does importance tell what matters?

How often a turn that a question names as evidence is more important than one that none names (area under
the ROC curve). Guessing gives 0.5, ± the margin of 95 of 100 guesses.

"""


def importance_section(result: Result) -> str:
    """Does importance tell what matters?"""
    rows = [
        [f"{short_title(name)}, {_GROUPS[group]}", *_areas(areas, found["counts"][group])]
        for name, found in result["datasets"].items()
        for group, areas in found["roc_auc"].items()
    ]
    return _AREA + table(["", "turns", "evidence", "**importance**", "length", "guessing"], rows)


def _areas(areas: Mapping[str, float], counts: Mapping[str, int]) -> list[str]:
    """Areas of one group of turns, and how far guessing strays."""
    margin = _margin(counts["gold"], counts["turns"] - counts["gold"])
    shown = (number(areas[name]) for name in ("score", "length in characters"))
    return [f"{counts['turns']:,}", f"{counts['gold']:,}", *shown, margin]


def _margin(gold: int, others: int) -> str:
    """The deviation of Mann and Whitney (1947); empty where there is nothing to tell apart."""
    if not gold or not others:
        return ""
    return f"± {_SURE * ((gold + others + 1) / (12 * gold * others)) ** 0.5:.3f}"


_INTENTS: Final = """\
14 intents with 34 utterances each, written by a model; 20 splits, no test text is an example; percent. Below
the threshold of {threshold} the answer is unknown.
"""


def intents_section(result: Result) -> str:
    """Are intents learned?"""
    return "\n".join(
        [
            "## Are intents learned?\n",
            _INTENTS.format(threshold=result["threshold"]),
            table(
                _with_examples(result),
                [*_guess_rows(result["results"]), *_answer_rows(result["results"])],
            ),
            _feedback(result["feedback"]),
            _intent_speed(result["speed"]),
        ]
    )


def memory_questions_section(result: Result) -> str:
    """Are questions about the memory itself noticed?"""
    header = ["", "questions", "got their kind", "other messages", "taken for one"]
    rows = [
        [
            name,
            f"{one['asking']:,}",
            f"{one['right']:,} ({100 * one['right_share']:.1f}%)",
            f"{one['others']:,}",
            f"{one['taken']:,}",
        ]
        for name, one in result["results"].items()
    ]
    spent = f"Reading a message takes {number(result['microseconds'])} microseconds.\n"
    chats = "; ".join(
        f"{short_title(name)}: {one['taken']:,} of {one['messages']:,}"
        for name, one in result["chats"].items()
    )
    taken = (
        f"Messages of chats that are taken for one, after the rules were mended on these: {chats}.\n"
        if chats
        else ""
    )
    return "\n".join([_MEMORY_QUESTIONS, table(header, rows), taken, spent])


_MEMORY_QUESTIONS: Final = """\
## Are questions about the memory noticed?

"What do you know about me?", "what have I told you about the boiler?", "why do you think I'm vegetarian?",
and messages that only sound so: 240 in four languages, by an author who had not seen the rules. The held
back half was counted several times while the rules were made, and 48 messages of it had been read. Expect
the figure of the last line, which leaves those out.
"""


def agenda_section(result: Result) -> str:
    """Is the right thing brought up?"""
    header = ["", "lives", "to bring up", "brought up", "else", "precision", "recall", "rightly silent"]
    rows = [
        [
            name,
            f"{one['cases']:,}",
            f"{one['wanted']:,}",
            f"{one['right']:,}",
            f"{one['wrong']:,}",
            f"{100 * one['precision']:.1f}%",
            f"{100 * one['recall']:.1f}%",
            f"{one['nothing_said']:,} of {one['nothing_to_say']:,}",
        ]
        for name, one in result["results"].items()
    ]
    spent = ", ".join(
        f"{number(ms)} ms among {int(count):,} messages" for count, ms in result["milliseconds"].items()
    )
    return "\n".join([_AGENDA, table(header, rows), f"Making the agenda takes {spent}, of CPU.\n"])


def ageing_section(result: Result) -> str:
    """Is it known when a fact may no longer be so?"""
    header = ["", "judgements", "as stored", "by the table", "by the user's own changes, too"]
    rows = [
        [name, f"{one['cases']:,}", *(f"{100 * share:.1f}%" for share in one["right"].values())]
        for name, one in result["results"].items()
    ]
    spent = f"A profile of 1,000 facts takes {number(result['milliseconds'])} ms of CPU.\n"
    return "\n".join([_AGEING, table(header, rows), spent])


def limits_section(result: Result) -> str:
    """Does as much go with a question as it needs?"""
    header = ["", "limits", "found", "of long answers", "complete", "tokens", "ms"]
    rows = [
        [
            one["half"] + (f", among {one['crowd']:,} others" if one["crowd"] else ""),
            way,
            f"{100 * found['found']:.1f}%",
            f"{100 * found['found_many']:.1f}%",
            f"{100 * found['complete']:.1f}%",
            f"{found['tokens']:,}",
            number(found["milliseconds"]),
        ]
        for one in result["results"]
        for way, found in one["ways"].items()
    ]
    return "\n".join([_LIMITS, table(header, rows)])


def temporal_section(result: Result) -> str:
    """Are questions for a time answered rightly?"""
    header = [
        "",
        "questions",
        "answered",
        "right",
        "wrong answers",
        "no answer where none is",
        "in a context",
    ]
    header += ["without"]
    rows = [
        [
            name,
            f"{one['cases']:,}",
            f"{100 * one['answered']:.1f}%",
            f"{100 * one['right']:.1f}%",
            f"{100 * (1 - one['right_of_answered']):.1f}%",
            f"{100 * one['silent']:.1f}%",
            *(f"{100 * share:.1f}%" for share in one["in_context"].values()),
        ]
        for name, one in result["results"].items()
    ]
    kinds = list(next(iter(result["results"].values()))["by_kind"])
    by_kind = [
        [name, *(f"{100 * one['by_kind'][kind]:.1f}%" for kind in kinds)]
        for name, one in result["results"].items()
    ]
    spent = "; ".join(
        f"of a question that {name} {number(ways['with'])} ms of CPU, without it {number(ways['without'])} ms"
        for name, ways in result["milliseconds"].items()
    )
    told = [_TEMPORAL, table(header, rows), "Right, by what is asked for:\n"]
    return "\n".join(
        [*told, table(["", *kinds], by_kind), f"A context among 10,000 memories takes, {spent}.\n"]
    )


_TEMPORAL: Final = """\
## Are questions for a time answered?

Short lives of 5 to 9 messages, and questions such as "since when", "how long", "how often", "what was first",
"where did I live in 2022": what [reckoning](../use/guide.md#since-when-how-long-how-often) answers, without a
model. Right is the share of the questions with an answer in the messages; a day must be that day, a length
within a tenth. In a context of 500 tokens the right answer stands in words or does not. Both halves were
written before the rules. The held-back half was not read, but counted three times: 53.6% right and 24.5% of
the answers wrong, then, after six more open lives and better rules for them, 50.7% and 25.5%, now as shown.
What one learns from a life helps little with another: expect what the held-back half shows, or less.
"""


_LIMITS: Final = """\
## Does as much go with a question as it needs?

Two made-up users, each with some hundred facts, episodes and passages, and 52 questions with those that an
answer cannot do without, from one to eleven: what the [second brain](../use/presets/second-brain.md#limits)
finds of them with the 10, 5 and 5 of its design and with as many as the question needs. Both halves were
written before the rule. Its numbers were chosen on the open half; the held-back half was counted once.
"""


_AGEING: Final = """\
## Is it known when a fact may no longer be so?

Short lives of a few facts, each with its present day and what a friend with a good memory would do then:
still say a fact, or ask first (or of which of two that friend would be surer). Shown is the share of these
judgements that the [aged confidence](learning.md#confidence-that-ages) agrees with; a fact that was not
learned counts as wrong. Both halves were written before the half-lives; the held-back half was counted
once, when they were chosen. One author wrote the lives and the table: expect less of other people.
"""


_AGENDA: Final = """\
## Is the right thing brought up?

Short lives of a few messages, each with its present day and what is to be brought up then, or nothing. The
held-back half was written before anything else and first counted when the rules were done; the other half was
looked at while they were made. One author wrote both and the rules: expect less of other people's words.
"""


def _with_examples(result: Result) -> list[str]:
    return ["examples per intent", *result["results"]]


def _guess_rows(results: Mapping[str, Any]) -> Iterator[list[str]]:
    for system in _BASELINES:
        yield [
            f"best guess is right: {_BASELINES[system]}",
            *(_percent(found[system]["best_guess"]) for found in results.values()),
        ]


def _answer_rows(results: Mapping[str, Any]) -> Iterator[list[str]]:
    for name, label in _ASKED.items():
        yield [label, *(_percent(found["recollect"][name]) for found in results.values())]


def _feedback(feedback: Mapping[str, Any]) -> str:
    thirds = "; ".join(
        f"{arm} {' → '.join(_percent(found[f'best_guess_{third}']) for third in (1, 2, 3))}"
        for arm, found in feedback.items()
    )
    return f"The best guess by thirds of a stream of questions: {thirds}.\n"


def _intent_speed(speed: Mapping[str, float]) -> str:
    return (
        f"`classify` with {speed['patterns']} patterns takes {number(speed['p50_us'])} µs; the first call, "
        f"which embeds the patterns, {number(speed['first_us'] / 1_000)} ms.\n"
    )


def _percent(found: Mapping[str, float]) -> str:
    return f"{100 * found['mean']:.1f}"


def labels_section(result: Result) -> str:
    """What does it cost to read the words?"""
    return "\n".join(
        [
            "## What does it cost to read the words?\n",
            target_table(labels_targets(result)),
            *(_cost(result["datasets"]) if result["datasets"] else []),
            *_dates(result["dates"]),
        ]
    )


def _cost(datasets: Mapping[str, Any]) -> Iterator[str]:
    yield "".join(f"- {_adding(name, found['adding'])}\n" for name, found in datasets.items())


def _adding(name: str, adding: Mapping[str, Any]) -> str:
    with_labels, without = adding["labelled"], adding["unlabelled"]
    each = 1e6 / with_labels["per_cpu_second"] - 1e6 / without["per_cpu_second"]
    return (
        f"{short_title(name)}: {_rate(with_labels)} memories added a second, {_rate(without)} without "
        f"labels, which cost {number(each)} µs of CPU each."
    )


def _rate(found: Mapping[str, float]) -> str:
    return number(found["per_second"])


def _dates(dates: Mapping[str, Any]) -> Iterator[str]:
    other = dates["dateparser"]
    languages = ", ".join(_LANGUAGES.get(name, name) for name in dates["right"] if name != "all")
    yield (
        f"Of {dates['right']['all']['expressions']:,} dates ({languages}) {_right(dates)} are read right, a "
        f"sentence in {number(dates['us_per_expression'])} µs.\n"
    )
    if other:
        yield (
            f"dateparser {other['version']}, given the date's words alone, reads {_right(other)} right, each "
            f"in {number(other['us_per_expression'])} µs.\n"
        )


def _right(found: Mapping[str, Any]) -> str:
    counts = found["right"]["all"]
    return f"{100 * counts['right'] / counts['expressions']:.1f}%"
