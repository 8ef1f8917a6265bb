"""Questions with their gold answers, and the turns that systems found for them in a run before."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from recollect.errors import InvalidInputError
from recollect_bench.catalogue import DataFile, near
from recollect_bench.datasets.shapes import Dataset, Question, sha256_of
from recollect_bench.journal import whole_lines
from recollect_bench.judged.calls import Prompt
from recollect_bench.prompts.answer import answer_prompt
from recollect_bench.results import Texts, asked_of

SEED: Final = 1
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question that has a gold answer.

    Attributes:
        conversation: Where it belongs.
        question: Its words.
        gold: The answer's words, as corrected where there are corrections.
        prompts: For each system what a model is asked: the question, below the first turns found.
    """

    conversation: str
    question: str
    gold: str
    prompts: Mapping[str, Prompt]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """What is to be answered and judged.

    Attributes:
        folder: Where the run's results lie.
        data: The data set's files.
        gold: Whose answers are the gold: ``own``, or who corrected them.
        tokens: The budget of turns.
        of: How many questions have a gold answer.
        commits: For each system the commit of Recollect that found the turns; None for systems of others.
        drawn: The questions, in the order of the data set.
    """

    folder: Path
    data: DataFile
    gold: str
    tokens: int
    of: int
    commits: Mapping[str, str | None]
    drawn: Sequence[Case]


def read_cases(
    folder: Path, data: DataFile, *, systems: Sequence[str], tokens: int, limit: int | None
) -> Cases:
    """Draw questions of a data set, with what was found for them.

    Args:
        folder: Where ``bench run`` wrote its results.
        data: The same files as then.
        systems: By name; all that were run when empty.
        tokens: How many tokens of turns a question gets.
        limit: How many questions to draw, all when None; a larger number draws the same ones and more.

    Raises:
        InvalidInputError: A system was not run on these files or not to the end, or there are no answers.
        DatasetError: The files cannot be read.
    """
    journals = _journals(folder, data, systems)
    loaded = data.load()
    rows = {name: _rows(path, data, loaded) for name, path in journals.items()}
    texts = Texts(loaded)
    asked = {name: list(asked_of(loaded, done)) for name, (_, done) in rows.items()}
    every = [same for same in zip(*asked.values(), strict=True) if _gold(same[0].question)]
    if not every:
        raise InvalidInputError(f"{data.name} has no gold answers that a judge could compare with")
    drawn = [
        Case(
            conversation=same[0].conversation,
            question=same[0].question.text,
            gold=_gold(same[0].question),
            prompts={
                name: answer_prompt(one.question.text, texts.first(one, tokens))
                for name, one in zip(asked, same, strict=True)
            },
        )
        for same in _drawn(every, limit)
    ]
    return Cases(
        folder=folder,
        data=data,
        gold=loaded.corrections or "own",
        tokens=tokens,
        of=len(every),
        commits={name: head.get("commit") for name, (head, _) in rows.items()},
        drawn=drawn,
    )


def _gold(question: Question) -> str:
    return question.corrected_answer or question.answer or ""


def _drawn(every: Sequence[_Item], limit: int | None) -> list[_Item]:
    count = len(every) if limit is None else min(limit, len(every))
    places = list(range(len(every)))
    random.Random(SEED).shuffle(places)  # noqa: S311 - no secret
    return [every[place] for place in sorted(places[:count])]


def _journals(folder: Path, data: DataFile, systems: Sequence[str]) -> dict[str, Path]:
    """Of the systems that were named, in that order; else of all, Recollect first: others compare with it."""
    paths = sorted((folder / "runs" / data.name).glob("*.jsonl"), key=_recollect_first)
    there = {path.stem: path for path in paths}
    if not there:
        raise InvalidInputError(
            f"{folder} holds nothing that was found on {data.name}; recollect bench run comes first"
        )
    unknown = [name for name in systems if name not in there]
    if unknown:
        raise InvalidInputError(
            f"{unknown[0]} was not run on {data.name} in {folder}{near(unknown[0], list(there))}; "
            f"there are {', '.join(there)}"
        )
    return {name: there[name] for name in systems or there}


def _recollect_first(path: Path) -> tuple[bool, str]:
    return not path.stem.startswith("recollect"), path.stem


def _rows(path: Path, data: DataFile, loaded: Dataset) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """The head of a journal, and its conversations by id."""
    head, *rows = whole_lines(path) or [{}]
    if head.get("data") != [sha256_of(one) for one in data.paths]:
        raise InvalidInputError(f"{path.stem} was run on other files of {data.name}; run it on these first")
    done = {row["conversation"]: row for row in rows if row.keys() >= {"conversation", "asked"}}
    missing = [one.id for one in loaded.conversations if one.id not in done]
    if missing:
        raise InvalidInputError(
            f"{path.stem} has {len(done)} of {len(loaded.conversations)} conversations of {data.name}: "
            "let recollect bench run end first, or leave it out of --systems"
        )
    return head, done
