"""The verb of a clause: what it is, when it holds, and whether it is denied."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from recollect.learning.extraction.clauses import ADVERBS
from recollect.learning.extraction.forms import (
    ALWAYS_PAST,
    INGS,
    PASTS,
    THIRDS,
    base_of_ing,
    base_of_third,
    third,
)
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import listed

Form = Literal["present", "past", "perfect", "going on", "has been", "can", "might", "used to"]
"""When it holds: "plays", "played", "has played", "is playing", "has been playing", and so on."""

_REGULAR: Final = listed(
    "always usually often sometimes rarely seldom hardly generally typically normally occasionally "
    "frequently regularly mostly"
)
_SHOWN: Final = _REGULAR | listed("barely mainly only exclusively primarily")
"""Adverbs that change what is said, and are kept."""
_HEDGES: Final = listed("probably maybe perhaps apparently kind sort")
_UNREAL: Final = listed("could would should will must shall ought need")
"""Helpers of what is not said to be so."""
_REFUSED: Final = listed("eat drink wear touch")
"""What somebody "won't" do tells of a habit."""
MORE_THAN: Final = listed("just only merely simply solely")
"""Behind "not" they deny nothing: "I don't just like it" says that, and more."""
_BETWEEN: Final = ADVERBS | listed("not never")
_NO_PARTICIPLES: Final = listed("bed seed need red hundred speed weed greed breed feed shed sled mixed")
_AFTER_GOT: Final = listed("married engaged divorced promoted into used back to better worse")
_NO_ING: Final = listed(
    "king ring willing boring single interesting amazing exciting wedding something nothing"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """A verb with all that stands before it.

    Attributes:
        verb: Its base form; "be" for states.
        form: When it holds.
        written: The verb as it was written.
        behind: The place of the first word behind it.
        negated: Whether it is denied.
        never: Whether "never" denies it.
        over: Whether "no longer" denies it.
        hedged: Whether "probably" or "kind of" weakens it.
        regular: Whether an adverb says how often.
        adverbs: The adverbs that are kept.
        plural: Whether the subject takes "live" rather than "lives".
    """

    verb: str
    form: Form
    written: str
    behind: int
    negated: bool = False
    never: bool = False
    over: bool = False
    hedged: bool = False
    regular: bool = False
    adverbs: tuple[str, ...] = ()
    plural: bool = False

    def shown(self) -> str:
        """The verb in the third person, with its adverbs and its denial."""
        adverbs = [*self.adverbs, *(["never"] * self.never), *(["no longer"] * self.over)]
        kept = "".join(f"{adverb} " for adverb in adverbs)
        denied = self.negated and not self.never and not self.over
        return _SHOW[self.form](self, kept, " not" if denied else "").strip()

    def denied(self) -> "Predicate":
        """The same denied: "like" in "I don't think I like it"."""
        return replace(self, negated=not self.negated, never=False, over=False)

    def be(self) -> str:
        """The form of "to be" that the subject takes."""
        return "are" if self.plural else "is"


def _present(found: Predicate, kept: str, denied: str) -> str:
    if found.verb == "be":
        return f"{found.be()}{denied} {kept}"
    if denied:
        return f"{'do' if found.plural else 'does'} not {kept}{found.verb}"
    return kept + (found.verb if found.plural else third(found.verb))


def _past(found: Predicate, kept: str, denied: str) -> str:
    if found.verb == "be":
        return f"{'were' if found.plural else 'was'}{denied} {kept}"
    return f"did not {kept}{found.verb}" if denied else kept + found.written


def _perfect(found: Predicate, kept: str, denied: str) -> str:
    participle = "been" if found.verb == "be" else found.written
    return f"{'have' if found.plural else 'has'}{denied} {kept}{participle}"


def _has_been(found: Predicate, kept: str, denied: str) -> str:
    return f"{'have' if found.plural else 'has'}{denied} {kept}been {found.written}"


_SHOW: Final[Mapping[Form, Callable[[Predicate, str, str], str]]] = {
    "present": _present,
    "past": _past,
    "perfect": _perfect,
    "has been": _has_been,
    "going on": lambda found, kept, denied: f"{found.be()}{denied} {kept}{found.written}",
    "can": lambda found, kept, denied: f"{'cannot' if denied else 'can'} {kept}{found.verb}",
    "might": lambda found, kept, denied: f"might{denied} {kept}{found.verb}",
    "used to": lambda found, kept, denied: f"{'did not use' if denied else 'used'} to {kept}{found.verb}",
}


def predicate_of(
    words: Sequence[str], start: int, *, third_person: bool, plural: bool = False
) -> Predicate | None:
    """The verb that begins at ``start``; None when there is none, or when it is not said to be so.

    "would", "should" and their like say what is not.

    Args:
        words: The words of a clause.
        start: The place behind the subject.
        third_person: Whether the subject is not "I" or "we".
        plural: Whether it takes "live" rather than "lives".
    """
    return _Reader(words, start, third_person=third_person, plural=plural).read()


class _Reader:
    """Reads adverbs, denials and helpers until it stands at the verb."""

    def __init__(self, words: Sequence[str], start: int, *, third_person: bool, plural: bool) -> None:
        self._words, self._place = words, start
        self._takes_s, self._plural = third_person and not plural, plural
        self._helper = ""
        self._never = self._negated = self._over = self._hedged = self._more = False
        self._adverbs: list[str] = []

    def read(self) -> Predicate | None:
        """The verb with all that was read before it."""
        while self._place < len(self._words):
            word = self._words[self._place]
            if self._skips_denial(word) or self._skips_adverb(word):
                continue
            if word == "will" and self._word(1) == "not" and self._word(2) in _REFUSED:
                self._helper = "do"
                self._place += 1
                continue
            if word in _UNREAL:
                return None
            helper = self._helper_at(word)
            if helper is None:
                return self._verb(word)
            self._helper = helper
            self._place += 1
        return None

    def _word(self, ahead: int) -> str:
        place = self._place + ahead
        return self._words[place] if place < len(self._words) else ""

    def _skips_denial(self, word: str) -> bool:
        if word == "no" and self._word(1) == "longer":
            self._over, size = True, 2
        elif word in {"not", "never"}:
            self._never, size = self._never or word == "never", 1
        else:
            return False
        if self._word(size) in MORE_THAN:
            self._over = self._never = False
            self._more, size = True, size + 1
        else:
            self._negated = True
        self._place += size
        return True

    def _skips_adverb(self, word: str) -> bool:
        if word not in ADVERBS or word in KNOWN or word == "of":
            return False
        soft = word in {"kind", "sort"}
        if soft and self._word(1) != "of":
            return False
        if word in _SHOWN:
            self._adverbs.append(word)
        self._hedged = self._hedged or word in _HEDGES
        self._place += 1 + soft
        return True

    def _helper_at(self, word: str) -> str | None:
        """The helper that a word is here; None when it is the verb itself."""
        if word == "been" and self._helper == "have":
            return "been"
        if word in {"used", "use"} and self._word(1) == "to" and self._helper in {"", "did"}:
            self._place += 1
            return "used to"
        if self._helper:
            return None
        if word in {"am", "is", "are", "was", "were"}:
            return "was" if word.startswith("w") else "be"
        if word in {"can", "may", "might"}:
            return "can" if word == "can" else "might"
        if word in {"do", "does", "did"}:
            return self._if_verb_follows("did" if word == "did" else "do")
        return self._if_participle_follows() if word in {"have", "has"} else None

    def _following(self) -> str:
        """The next word that is no adverb and no denial."""
        ahead = 1
        while self._word(ahead) in _BETWEEN and self._word(ahead) not in KNOWN:
            ahead += 1
        return self._word(ahead)

    def _if_verb_follows(self, helper: str) -> str | None:
        following = self._following()
        denied = self._word(1) in {"not", "never"}
        return helper if following in KNOWN or (denied and following.isalpha()) else None

    def _if_participle_follows(self) -> str | None:
        following = self._following()
        regular = following.endswith("ed") and following not in _NO_PARTICIPLES
        return "have" if following in {"been", "got"} or following in PASTS or regular else None

    def _verb(self, word: str) -> Predicate | None:
        match self._helper:
            case "be" | "was":
                return self._state(word)
            case "been":
                return self._made(INGS[word], "has been") if word in INGS else self._made("be", "perfect")
            case "have" if word == "got" and self._word(1) not in _AFTER_GOT:
                return self._made("have", "present")
            case "have":
                return self._made(PASTS.get(word, word), "perfect")
            case "do":
                return self._made(word, "present")
            case "did":
                return self._made(word, "past") if self._negated else None
            case "can":
                return None if self._more else self._made(word, "can")
            case "might":
                return self._made(word, "might")
            case "used to":
                return self._made(word, "used to")
        return self._with_s(word) if self._takes_s else self._without_s(word)

    def _state(self, word: str) -> Predicate | None:
        past = self._helper == "was"
        if word in INGS or (word.endswith("ing") and word not in _NO_ING):
            return None if past else self._made(base_of_ing(word), "going on")
        return self._made("be", "past" if past else "present")

    def _with_s(self, word: str) -> Predicate | None:
        if word in THIRDS:
            return self._made(THIRDS[word], "present")
        if word in PASTS:
            return self._made(PASTS[word], "past")
        if word.isalpha() and word.endswith("s") and not word.endswith("ss") and len(word) > len("has"):
            return self._made(base_of_third(word), "present")
        return None

    def _without_s(self, word: str) -> Predicate | None:
        if word in PASTS and (word not in KNOWN or word in ALWAYS_PAST):
            return self._made(PASTS[word], "past")
        return self._made(word, "present") if word.isalpha() and not word.endswith("ed") else None

    def _made(self, verb: str, form: Form) -> Predicate:
        state = verb == "be" and self._words[self._place] != "be"
        return Predicate(
            verb=verb,
            form=form,
            written=self._words[self._place],
            behind=self._place + (not state),
            negated=self._negated,
            never=self._never,
            over=self._over,
            hedged=self._hedged or form == "might",
            regular=not _REGULAR.isdisjoint(self._adverbs),
            adverbs=tuple(self._adverbs),
            plural=self._plural,
        )
