"""A question, read once before any memory is looked at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Embedder
from recollect.text.analyse import Analyser
from recollect.text.overviews import matter_of
from recollect.text.traits import Wish, wish_of
from recollect.types.codec import to_micros


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for.

    Attributes:
        text: The question as it was asked.
        stems: The words to look for, each once: of an overview those of its matter.
        vector: ``float32`` of shape ``(dim,)``; of an overview that of its matter.
        wish: What kind of answer it looks for.
        now: When it is asked, in microseconds since 1970 UTC.
        times: The times it names: starts and ends in microseconds since 1970 UTC.
        topics: What it is about, when the caller said so; None leaves it to the words.
        kept: What the store keeps about the user under the name that the scoring asks for.
    """

    text: str
    stems: Sequence[str]
    vector: NDArray[np.float32]
    wish: Wish
    now: int
    times: Sequence[tuple[int, int]] = ()
    topics: Sequence[str] | None = None
    kept: str | None = None

    @property
    def asks(self) -> bool:
        """Whether it ends with a question mark."""
        return self.text.rstrip().endswith(("?", "\uff1f"))

    def named(self, names: Mapping[str, Sequence[str]]) -> list[str]:
        """The speakers it names, out of ``speaker_names``."""
        return [speaker for stem in self.stems for speaker in names.get(stem, ())]

    def about(self, analyser: Analyser) -> Sequence[str]:
        """Its topics and entities: those that were given, else those of its words."""
        if self.topics is not None:
            return self.topics
        from recollect.text.entities import find_entities
        from recollect.text.tags import extract_tags

        tags = extract_tags(self.text, analyser=analyser)
        return [*(tag.text for tag in tags), *find_entities(self.text, language=analyser.language)]


def read_question(
    text: str,
    *,
    analyser: Analyser,
    embedder: Embedder,
    now: datetime,
    timezone: tzinfo,
    embedding: NDArray[np.float32] | None = None,
    topics: Sequence[str] | None = None,
) -> Question:
    """Read a question; ambiguous dates in it are in the past.

    ``embedding`` replaces the vector of ``embedder``: ``float32`` of shape ``(dim,)``, unit length.
    ``topics`` are given when the caller knows them; ``timezone`` decides where "yesterday" begins.
    """
    from recollect.text.dates import find_dates

    matter = matter_of(text)
    return Question(
        text=text,
        stems=analyser.query_stems(matter),
        vector=embedder.embed_query(matter) if embedding is None else embedding,
        wish=wish_of(text),
        now=to_micros(now),
        topics=topics,
        times=[
            (to_micros(named.start), to_micros(named.end))
            for named in find_dates(text, now=now, timezone=timezone, prefer="past")
        ],
    )


def speaker_names(speakers: Iterable[str], analyser: Analyser) -> dict[str, list[str]]:
    """Speakers by each stem of their names."""
    names: dict[str, list[str]] = {}
    for speaker in speakers:
        for stem in dict.fromkeys(analyser.stems(speaker)):
            names.setdefault(stem, []).append(speaker)
    return names
