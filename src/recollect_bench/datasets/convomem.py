"""ConvoMem: questions about one to six messages, hidden among up to 300 conversations with an assistant.

Two kinds of files: test cases ``[{"evidenceItems": [...], "conversations": [...]}]``, and evidence alone,
``{"evidence_items": [{..., "conversations": [...]}]}``. An item has ``question``, ``answer`` and
``message_evidences``; the turns with the same words are the gold. Written from Salesforce's published source,
not tried on the data.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets.shapes import Conversation, Dataset, Question, Turn, lost_ids, spoken

TITLE: Final = "ConvoMem: a person with an assistant, many conversations"
SOURCE: Final = "https://huggingface.co/datasets/Salesforce/ConvoMem (CC BY-NC 4.0)"
FILES: Final = "one or more of its JSON files, separated by commas"
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = "Recollect's ranking was not chosen on it."


def load(*paths: Path) -> Dataset:
    """Test cases of ConvoMem, or its evidence."""
    cases = [case for path in paths for case in _cases(path)]
    return Dataset(
        name="convomem",
        conversations=tuple(_conversation(f"case-{number}", *case) for number, case in enumerate(cases)),
    )


def _cases(path: Path) -> Iterator[tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]]:
    """Questions, and the conversations that they are about."""
    read = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(read, dict):
        yield from (([item], item["conversations"]) for item in read["evidence_items"])
    else:
        yield from ((case["evidenceItems"], case["conversations"]) for case in read)


def _conversation(
    name: str, items: Sequence[Mapping[str, Any]], talks: Sequence[Mapping[str, Any]]
) -> Conversation:
    turns = tuple(
        Turn(
            id=f"{place}/{number}",
            session=str(place),
            speaker=None,
            role=said["speaker"].lower(),
            text=said["text"],
            time=None,
        )
        for place, talk in enumerate(talks)
        for number, said in enumerate(talk["messages"])
    )
    return Conversation(id=name, turns=turns, questions=tuple(_question(item, turns) for item in items))


def _question(item: Mapping[str, Any], turns: Sequence[Turn]) -> Question:
    evidence = {said["text"].strip() for said in item["message_evidences"]}
    return Question(
        text=item["question"],
        gold=tuple(turn.id for turn in turns if turn.text.strip() in evidence),
        category=item.get("category") or "all",
        answer=spoken(item["answer"]),
        lost=lost_ids(list(evidence), {turn.text.strip() for turn in turns}),
    )
