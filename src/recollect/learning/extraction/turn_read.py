"""What is known while the sentences of a turn are read."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.learning.extraction.clauses import Clause, Sentence
from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.subjects import Subject


@dataclass(slots=True)
class TurnRead:
    """What is known while a turn is read.

    Attributes:
        speaker: How facts call who speaks.
        instructs: Whether words of standing instructions are in it.
        places: Whether words for a place of work are in it.
        wishes: Whether it does nothing but list how to answer.
        alone: Whether it is of one sentence.
        plans: Whether words of plans are in it.
        mentioned: The noun of the person or animal last spoken of; empty without one.
        closed: Whether the rest is make-believe, or material to work on.
        facts: What was found.
        people: Names told before, and what each is to the speaker.
        sentence: The one that is read.
        spoken: Whom the last sentence that names anybody spoke of.
    """

    speaker: str
    instructs: bool = False
    places: bool = False
    wishes: bool = False
    alone: bool = False
    plans: bool = False
    mentioned: str = ""
    closed: bool = False
    facts: list[Fact] = field(default_factory=list)
    people: dict[str, str] = field(default_factory=dict)
    spoken: list[str] = field(default_factory=list)
    sentence: Sentence | None = None

    def noun(self, who: str) -> str:
        """What somebody is to the speaker, for one told of by name."""
        return self.people.get(who, who)


@dataclass(slots=True)
class Before:
    """What the clauses before said, for "and works at Siemens".

    Attributes:
        subject: Whom they were about; None when a subject cannot be left out.
        clause: Where that subject stands.
        begins: Where it begins in the text.
        found: Whether a fact was found in them.
        named: Whether it was the speaker's name, which a trade may follow.
        waits: Whether the subject still has no verb: "My mother, who is 80, ...".
        corrects: Whether they said "Actually," or "Sorry,".
        often: A time that comes again, before a comma: "On Sundays, ...".
        aside: Clauses to come that tell only what somebody named is: "(my brother)".
        own: Whether the last facts were about the speaker.
    """

    subject: Subject | None = None
    clause: Clause | None = None
    begins: int = 0
    found: bool = False
    named: bool = False
    waits: bool = False
    corrects: bool = False
    often: str = ""
    aside: Sequence[Clause] = ()
    own: bool = False
