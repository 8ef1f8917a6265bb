"""What is computed of a ranking and of a context. All are shares from 0 to 1."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2
from typing import Final

from recollect.text.analyse import Analyser

MRR_DEPTH: Final = 50
"""Ranks looked at for the reciprocal rank; a first gold turn below counts 0."""

_WORD: Final = re.compile(r"[^\W_]+")
_APOSTROPHE: Final = re.compile(r"['\u2019]")
_ARTICLES: Final = frozenset({"a", "an", "the"})
_PIECE: Final = re.compile(r"\w+|\W")
_NOTE: Final = r"(?:\s*\[[^\]\n]*\])?"
"""What a context may put behind a word, such as the date that "in spring" meant."""
_ANALYSER: Final = Analyser("en")


def recall_at_k(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """The share of the gold turns that are among the first ``k``.

    >>> recall_at_k(["b", "x", "a", "y"], ["a", "b", "c", "d"], 3)
    0.5
    """
    return len(set(ranking[:k]).intersection(gold)) / len(gold)


def any_at_k(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when at least one gold turn is among the first ``k``, else 0."""
    return float(recall_at_k(ranking, gold, k) > 0)


def all_at_k(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when every gold turn is among the first ``k``, else 0."""
    return float(recall_at_k(ranking, gold, k) == 1)


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """One divided by the rank of the first gold turn; 0 when none is among the first ``MRR_DEPTH``.

    >>> reciprocal_rank(["x", "y", "a", "b"], ["a", "b"])
    0.3333333333333333
    """
    ranks = (rank for rank, turn in enumerate(ranking[:MRR_DEPTH], start=1) if turn in gold)
    return 1 / next(ranks, float("inf"))


def ndcg_at_k(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain (Jarvelin and Kekalainen 2002); a turn is gold or not.

    >>> round(ndcg_at_k(["x", "a"], ["a"], 10), 3)
    0.631
    """
    gains = [1 / log2(rank + 1) for rank, turn in enumerate(ranking[:k], start=1) if turn in gold]
    best = sum(1 / log2(rank + 1) for rank in range(1, min(len(gold), k) + 1))
    return sum(gains) / best


def measure(ranking: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """Every metric of one ranking, by name."""
    return {
        "recall_at_5": recall_at_k(ranking, gold, 5),
        "recall_at_10": recall_at_k(ranking, gold, 10),
        "any_at_10": any_at_k(ranking, gold, 10),
        "all_at_10": all_at_k(ranking, gold, 10),
        "mrr": reciprocal_rank(ranking, gold),
    }


def mean(measured: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each metric over questions, with their number as ``questions``."""
    means: dict[str, float] = {"questions": len(measured)}
    for name in measured[0] if measured else ():
        means[name] = sum(one[name] for one in measured) / len(measured)
    return means


def by_category(
    measured: Iterable[tuple[str, Mapping[str, float]]],
) -> dict[str, dict[str, dict[str, float]]]:
    """Means over all questions and per category, from pairs of category and metrics."""
    groups: dict[str, list[Mapping[str, float]]] = {}
    for category, metrics in measured:
        groups.setdefault(category, []).append(metrics)
    everything = [metrics for group in groups.values() for metrics in group]
    return {
        "overall": {"all": mean(everything)},
        "categories": {category: mean(groups[category]) for category in sorted(groups)},
    }


def answer_words(text: str) -> frozenset[str]:
    """The distinct words of an answer: lower case, no punctuation, no articles.

    >>> sorted(answer_words("The adoption agency's 2nd counselor"))
    ['2nd', 'adoption', 'agencys', 'counselor']
    """
    found = _WORD.findall(_APOSTROPHE.sub("", text.casefold()))
    return frozenset(found) - _ARTICLES


def answer_in_context(answer: str, context: str) -> dict[str, float]:
    """How much of an answer's words a context holds.

    Returns:
        ``content``: 1 when it holds all of the answer's content words, whatever their endings, else 0;
        ``answer``: 1 when it holds all of its words as they stand; ``words``: the share that it holds.

    >>> answer_in_context("She was painting a sunset", "[8 May 2023] Ada: I painted sunsets!")
    {'content': 1.0, 'answer': 0.0, 'words': 0.0}
    """
    wanted = answer_words(answer)
    share = len(wanted & answer_words(context)) / len(wanted)
    content = set(_ANALYSER.query_stems(answer)) <= set(_ANALYSER.stems(context))
    return {"content": float(content), "answer": float(share == 1), "words": share}


def context_faults(
    text: str,
    *,
    must: Sequence[Sequence[str]] = (),
    must_not: Sequence[str] = (),
    order: Sequence[Sequence[str]] = (),
    quoted: Sequence[str] = (),
) -> list[str]:
    """What is wrong with a context; empty when it is right. Capitals do not count.

    Args:
        text: The context.
        must: For each thing it must hold, the wordings that count.
        must_not: What it must not hold.
        order: Pairs; the first must come before the second where the second is there.
        quoted: Lines that are taken out before the rest is judged: who reads a joke knows it for one. A note
            in square brackets behind a word does not make it another line.

    >>> context_faults("I take 88 mcg, now 100 mcg", must=[["100 mcg"]], order=[["100 mcg", "88 mcg"]])
    ['names 88 mcg before 100 mcg']
    """
    held = text.casefold()
    for line in quoted:
        pieces = _PIECE.findall(line.casefold())
        held = re.sub("".join(re.escape(piece) + _NOTE * piece.isalnum() for piece in pieces), "", held)

    def at(words: str) -> int:
        return held.find(words.casefold())

    missing = [" / ".join(one) for one in must if all(at(words) < 0 for words in one)]
    stale = [(new, old) for new, old in order if at(old) >= 0 and not 0 <= at(new) < at(old)]
    return [
        *(f"lacks {one}" for one in missing),
        *(f"holds {one}" for one in must_not if at(one) >= 0),
        *(f"names {old} before {new}" for new, old in stale),
    ]
