"""How likely a message about a change makes an older statement out of date, where no rule is sure of it.

========================================= ================================== ==============================
message                                   said before                        what they have in common
========================================= ================================== ==============================
"Rehomed Mango with a breeder"            "I've got a parrot, Mango"         a word of an end; a name
"new boss: Beatriz"                       "my manager, Joanna"               a word of something new; a topic
"we've raised groceries to 150"           "our grocery budget is 120"        a word of a change; a rare word
"my best friend quit Nokia"               "I work at Nokia"                  nothing: of somebody else
========================================= ================================== ==============================

A topic is what people have one of at a time, as the employer or the bank (``topics``); of what they have
several of, as pets, the same one must be named.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from recollect.learning.listing import DAY, MONTH, listed
from recollect.learning.reconcile.contacts import may_be_same_line, name_lines
from recollect.learning.reconcile.cues import (
    Telling,
    are_other_kinds,
    cues_of,
    is_noun,
    shared_words,
    telling_words,
)
from recollect.learning.reconcile.doses import are_others
from recollect.learning.reconcile.exclusions import names_a_substitute
from recollect.learning.reconcile.health import concerns
from recollect.learning.reconcile.ties import Tie, parting_of, tie_of_noun
from recollect.learning.reconcile.told import Piece, eats_less, is_only_bought, is_unreal, pieces_of
from recollect.learning.reconcile.topics import COUNTED, SEVERAL, VALUES, topics_of, words_in
from recollect.learning.reconcile.whose import is_about, whom_of_words
from recollect.text.entities.kinds import given_name
from recollect.text.entities.vocabulary import KIN, TITLES
from recollect.types.regex import lazy_regex

_LONGEST: Final = 32
"""Words of a message about one change. Chosen by hand."""
_OWN: Final = lazy_regex(
    r"\b(?:i|i'm|i've|i'd|me|my|mine|we|we're|we've|us|our|ich|wir|mich|mir|mein\w*|uns\w*|ik|mijn|wij|ons"
    r"|mijne|io|mio|mia|ho|sono|abbiamo|siamo|studio|lavoro|abito|je|j'\w+|nous|mon|ma"
    r"|mes|notre|yo|mi|mis|nuestr\w+|me|nos|\w+é|\w+amos|eu|meu|minha|jag|vi|min|mitt|vår\w*|oss|tengo"
    r"|trabajo"
    r"|vivo|voy|soy|estoy|estudio|moro|trabalho|sou|tenho|estudo|toco|faço|vou)\b"
)
"""Words by which somebody speaks of themselves."""
_BRIEF: Final = 20
_SHORT: Final = 14
"""Words of one that is about little else, and about nothing else. Chosen by hand."""
_LEAST: Final = 3
"""Words of a piece that states something. Chosen by hand."""
_BARE: Final = 9
"""Words of an older statement that names nobody. Chosen by hand."""
_DENIED: Final = lazy_regex(
    r"\b(?:no|not|never|none|\w+n't|kein\w*|nicht|pas|aucun\w*|sans|sin|ningún|não|nunca|sem|inga?|inget"
    r"|inte)\b"
)
_NUMBER: Final = lazy_regex(r"\d")
_TO_THE_ASSISTANT: Final = frozenset(
    ("answers", "language", "units", "reminder", "name", "pronouns", "email", "number")
)
"""Topics of what one asks of the assistant."""
_ONE_NUMBER: Final = frozenset(("rent", "pay", "weight", "age", "level"))
"""Topics with one number at a time, by whatever word it is told."""
_COUNT: Final = lazy_regex(
    rf"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|noon|midnight|tomorrow|{DAY}s?|{MONTH}"
    r"|n[1-5]"
    r"|[abc][12]|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi"
    r"|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|segunda|terça|quarta|quinta|sexta|måndag"
    r"|tisdag|onsdag|torsdag|fredag|lördag|söndag|beginner|intermediate|advanced|fluent)\b"
)
_ASIDE: Final = listed(
    "please just so ok okay hey hi now and but bitte por favor also then always never don't"
)
_ORDER: Final = lazy_regex(
    r"(?:give|show|write|make|use|send|remove|replace|add|tell|keep|call|propose|proceed|go|let|let's|confirm"
    r"|deliver|find|explain|create|remind|answer|reply|respond|stop|start|forget|ignore|switch|change|update"
    r"|provide|rewrite|check|set|put|do|don't|always|never|stick|skip|draft|try|take|help|antworte|svara"
    r"|réponds|responde)\b"
)
"""How what is asked of the assistant begins."""
_LASTING: Final = lazy_regex(
    r"\b(?:from (?:now|here) on|going forward|as of|ab (?:jetzt|sofort)|désormais)\b"
)
_TIES: Final = listed(
    """
    account membership subscription contract plan job team practice course clinic habit flat apartment house
    place room home position role studio spot seat studies degree lessons classes sessions career post work
    """
)
"""What ties somebody to what is named beside it."""
_BEFORE: Final = (
    r"\b(?:an?|the|my|our|some|new) (?:[\w'-]+ )?([\w'-]{{3,}}) (?:on|at|for|in|with|from|by) "
    r"(?:the |my |our |dr\.? )?{name}\b"
)
"""What stands before a name that only tells where or for what it is."""
_MEANT: Final = lazy_regex(
    r"\b(?:i need|i want|i'd like|we need|let me|ready to|looking for|i hope|aim to|i'll|we'll|let's|gonna"
    r"|excited to|can't wait|kinda|worried|stressed|overwhelmed)\b"
)
"""Says what is only meant, or felt."""
_PASSING: Final = lazy_regex(
    r"\b(?:today|tomorrow|tonight|(?<!from )this (?:morning|afternoon|evening|week|weekend)|again|till|until"
    r"|for now"
    r"|at the moment|rental|repair\w*|broke down|in the shop|covering|locum|on holiday|off sick|out sick"
    r"|early|(?:coming|flying|come) (?:over|to stay|to visit)|visiting|arriving|'s here|(?:is|are) here"
    r"|(?:has|have)? ?arrived|heute|morgen|diese woche|bis"
    r"|aujourd'hui|demain|jusqu'\w*|hoy|mañana|hasta|hoje|amanhã|até|idag|imorgon|till på)\b"
)
"""Words of what passes."""
_ADDED: Final = lazy_regex(
    r"\b(?:also|too|as well|besides|alongside|side (?:job|gig|hustle)|on top of"
    r"|in addition|additionally|second|another|extra|plus"
    r"|add|still|auch|außerdem|noch ein\w*|zweit\w+|aussi|également|deuxième|también|además|segund[oa]"
    r"|otr[oa]|também|além|outr[oa]|också|dessutom|vid sidan|andra|ett till|en till)\b"
)
"""Words of what comes beside something."""
_WENT: Final = lazy_regex(
    r"(?:(?:so|well|the|my|our|that|btw),? )*(?:[^\W\d_]+ ){0,2}?(?P<what>[^\W\d_]{3,}?)s? went "
    r"(?:(?:really|so|very|pretty|all|quite) )*(?:fine|well|ok|okay|good|great|badly|terribl\w+|smoothly"
    r"|perfectly|alright|brilliantly|as planned|better|worse)\b"
)
"""Begins a report of how something went, which changes nothing of when and where it was."""
_PLAY: Final = lazy_regex(
    r"\b(?:haha\w*|lol|jajaja\w*|mdr|game|sims|film|movie|dream\w*|im spiel|dans le jeu|en el juego"
    r"|no jogo|i spelet|series|episode|poem|back in (?:19|20)\d\d|courtesy|loaner"
    r"|laugh\w*|kidding|joke|april fools?)\b"
)
"""Words of games, stories and jokes."""


class Score(NamedTuple):
    """How much two statements have in common; the greater of two is the likelier one."""

    words: int
    topics: int


def may_change(text: str) -> bool:
    """Whether a message sounds like a change of something that people have one of, or that it names."""
    low = _low(text)
    if len(low.split()) > _LONGEST or _PLAY.search(low):
        return False
    return any(_sounds(piece) for piece in pieces_of(text))


def doubt_of(told: str, said: str) -> Score | None:
    """How much a message has in common with an older statement that it may end, or give another value.

    Args:
        told: The message.
        said: What the same person said before.

    Returns:
        None where nothing tells that the message is about a change of it.
    """
    low = _low(told)
    if len(low.split()) > _LONGEST or _PLAY.search(low):
        return None
    shared = _shared(told, said)
    if shared is None or _names_another(told, said):
        return None
    who = whom_of_words(said)
    real = [piece for piece in pieces_of(told) if _is_real(piece)]
    about = [piece for piece in real if _may_be_about(piece, told, said, who)]
    stated = [topics_of(piece.low).keys() for piece in about if not _DENIED.search(piece.low)]
    if shared.brief:
        shared = shared._replace(stated=shared.topics & frozenset().union(*stated))
    found = (_score(piece, shared) for piece in about)
    return max(filter(None, found), default=None)


def may_concern(told: str, said: str) -> bool:
    """Whether a message states something lasting of the one whom an older statement is about.

    What is asked, meant, played, added or of the day, and what is about somebody else, changes nothing.
    """
    if _PLAY.search(_low(told)) or goes_further(told, said) or _names_another(told, said):
        return False
    if (went := _WENT.match(_low(told))) and re.search(rf"\b{re.escape(went['what'])}", _low(said)):
        return False
    shared = _shared_words(told, said)
    if name_lines(_low(told), _low(said)) and not may_be_same_line(_low(told), _low(said)):
        return False
    if not (shared.names or shared.rare) and are_other_kinds(_low(told), _low(said)):
        return False
    pieces = [piece for piece in pieces_of(told) if len(piece.low.split()) >= _LEAST]
    of, who = topics_of(_low(said)).keys(), whom_of_words(said)
    return any(
        _is_real(piece)
        and not (piece.of and of and topics_of(piece.low) and of.isdisjoint(topics_of(piece.low)))
        and _may_be_about(piece, told, said, who)
        and not (_PASSING.search(piece.raw.lower()) or _ADDED.search(piece.low))
        for piece in pieces
    )


def _may_be_about(piece: Piece, told: str, said: str, who: frozenset[str]) -> bool:
    """Whether a piece of a message may be about whom a statement is about; health may be that of anybody."""
    same = concerns(piece, told, said)
    if same is None:
        return all(concerns(other, told, said) is not False for other in pieces_of(told))
    return same and is_about(piece, said, who, strangers=True)


def _names_another(told: str, said: str) -> bool:
    """Whether a message names another medicine than a statement, or what takes the place of its food."""
    return are_others(told, said) or names_a_substitute(told, said)


def is_telling(word: str) -> bool:
    """Whether a word in small letters is rare, or tells of a topic."""
    return bool(telling_words(word).rare or telling_words(word).names or topics_of(word))


def may_be_of(told: str, said: str) -> bool:
    """Whether a message shares a topic or a rare word with a statement, or is too short for either."""
    return _are_brief(told, said) or _shares(told, said)


def touches(told: str, said: str, fact: str) -> bool:
    """Whether a message about a change of what was said is about a fact that was learned of that.

    A short statement says one thing, whatever the fact kept of it, unless what it shares with the message is
    not of the fact.
    """
    if have_in_common(told, fact):
        return True
    ours, theirs, kept = (_things(text) for text in (told, said, fact))
    if ours & theirs - kept and not ours & kept:
        return False
    return len(said.split()) <= _BARE and not have_in_common(told, said)


def _things(text: str) -> set[str]:
    """The nouns of a text, in small letters and without a plural's ending."""
    words = (word.removesuffix("'s") for word in words_in(_low(text)))
    return {word.removesuffix("s") for word in words if len(word) > _LEAST and is_noun(word)}


def have_in_common(told: str, said: str) -> bool:
    """Whether two texts share a topic or a telling word."""
    return _shares(told, said) or bool(_shared_words(told, said).nouns)


def share_only_somebody(told: str, said: str, ties: Mapping[str, Tie]) -> bool:
    """Whether a message and a statement share somebody and nothing else, and nobody is told to be gone.

    Args:
        told: The message.
        said: What the same person said before.
        ties: Names of people and animals, in small letters, and what they are.

    >>> said, ties = "my friend Anna is vegan", {"anna": Tie("friend", naming=True, alone=True)}
    >>> [share_only_somebody(told, said, ties) for told in ("Anna called", "Anna's a vegetarian now")]
    [True, False]
    """
    words = {one for kind in _shared_words(told, said) for one in kind} - TITLES
    words |= _plain_words(told) & _plain_words(said) & KIN
    somebody = {
        one: ties.get(one) or tie_of_noun(one if one in KIN else "friend")
        for one in words
        if one in ties or one in KIN or given_name(one) or _has_age(one, said)
    }
    if not somebody or words - somebody.keys():
        return False
    if topics_of(_low(told)).keys() & topics_of(_low(said)).keys():
        return False
    turns = [turn for known, turn in _TURNS if known.search(_low(said))]
    return not any(
        parting_of(piece._replace(low=_THIRD.sub(one, piece.low)), one, tie)
        or any(turn.search(piece.low) for turn in turns)
        or (not piece.of and _does(piece, one))
        for piece in pieces_of(told)
        for one, tie in somebody.items()
    )


def _has_age(word: str, said: str) -> bool:
    """Whether a statement tells the age of somebody by a name, as it does of children: "ruby is 4"."""
    return re.search(rf"\b{re.escape(word)}(?:'?s| is)? \d{{1,2}}\b(?! ?\w*[ap]m\b)", _low(said)) is not None


_TURNS: Final = tuple(
    (lazy_regex(rf"\b(?:{known})\b"), lazy_regex(rf"\b(?:{turn})\b"))
    for known, turn in (
        (
            r"engaged|married|dating|together|fianc\w+|wedding",
            r"called (?:it|things|everything) off|split|broke up|separated|divorced",
        ),
        (
            r"stud(?:ies|ying|ent)|attends|goes to|uni|university|college|school|degree|apprentice\w*",
            r"dropped out|graduated|expelled|quit|left|finished",
        ),
        (
            r"works?|working|job|teach\w*",
            r"quit|left|retired|resigned|fired|laid off|sacked|redundant|got a (?:new )?job",
        ),
        (r"liv(?:es|ing)|stay(?:s|ing)|comes|visits", r"moved|moving|left|gone"),
        (
            r"with|feeding|minding|look(?:s|ing) after|picking up|covering|coming",
            r"bailed|pulled out|cancell?ed|can't(?: do it| make it| come)?$|cant(?: do it| make it| come)?$",
        ),
    )
)
"""What is known of somebody, and what they do that may end it, word by word."""


def _does(piece: Piece, somebody: str) -> bool:
    """Whether a piece tells what its speaker surely did with somebody: "told my cousin no more favours"."""
    done = somebody in piece.low and not piece.low.startswith(somebody)
    return done and not tells_which(somebody, piece.low) and "sure" in cues_of(piece.low)


_THIRD: Final = lazy_regex(r"^(?:s?he|they)\b")
"""Begins what is told of whom the words before name."""


def name_others(told: str, said: str, people: Mapping[str, str]) -> bool:
    """Whether a message names one person and a statement another, each known as somebody else.

    Args:
        told: The message.
        said: What the same person said before.
        people: Names, in small letters, and what each is: ``{"otis": "son"}``.
    """
    ours, theirs = (_plain_words(text) & people.keys() for text in (told, said))
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _plain_words(text: str) -> set[str]:
    return {one.removesuffix("'s") for one in words_in(_low(text))}


def _are_brief(told: str, said: str) -> bool:
    return max(len(_low(told).split()), len(_low(said).split())) <= _BRIEF


def _shares(told: str, said: str) -> bool:
    words = _shared_words(told, said)
    return bool(topics_of(_low(told)).keys() & topics_of(_low(said)).keys() or words.names or words.rare)


class _Shared(NamedTuple):
    """What a message and an older statement share.

    Attributes:
        words: Their telling words.
        topics: Their topics.
        stated: Those that a brief message states anywhere.
        differ: Whether the message has a value that the older statement lacks.
        counted: Whether both have numbers or days.
        denied: Whether the older statement denies what the message says: "no pets".
        brief: Whether the message is so short that it says little else.
        short: Whether it is so short that it says nothing else.
    """

    words: Telling
    topics: frozenset[str]
    stated: frozenset[str]
    differ: bool
    counted: bool
    denied: bool
    brief: bool
    short: bool


def _shared(told: str, said: str) -> _Shared | None:
    """What two statements share; None where that is nothing to go by."""
    low, old = _low(told), _low(said)
    if goes_further(told, said):
        return None
    words = _shared_words(told, said)
    counted = _COUNT.search(low) is not None and _COUNT.search(old) is not None
    topics = _shared_topics(low, old, counted=counted, alike=any(words))
    brief = len(low.split()) <= _BRIEF
    telling = words.names or words.rare or (words.nouns and brief)
    if not topics and not (telling and _are_own(low, old, brief=brief)):
        return None
    values = _values(said)
    return _Shared(
        words,
        topics,
        stated=frozenset(),
        differ=bool(values and _values(told) - values) or _has_other_value(low, old, topics),
        counted=counted,
        denied=bool(_DENIED.search(old)) and not _DENIED.search(low),
        brief=brief,
        short=len(low.split()) <= _SHORT,
    )


def goes_further(told: str, said: str) -> bool:
    """Whether a message says more of what a statement says: "fully veggie" after "I don't eat meat"."""
    return eats_less(_low(told)) and _EATS_NO.search(_low(said)) is not None


_EATS_NO: Final = lazy_regex(r"(?:n't|\bnot|\bnever|\bno longer) (?:\w+ )?eats?\b")


def _are_own(low: str, old: str, *, brief: bool) -> bool:
    """Whether both tell of their speaker, or are too short to say so."""
    ours = brief or _OWN.search(low) is not None
    return ours and not asks(low) and (_OWN.search(old) is not None or len(old.split()) <= _BARE)


def _shared_words(told: str, said: str) -> Telling:
    """The telling words of both; one is a name where either writes it as a name."""
    ours, theirs = telling_words(told), telling_words(said)
    shared = shared_words(frozenset().union(*ours), frozenset().union(*theirs))
    names = shared & (ours.names | shared_words(shared, theirs.names))
    rare = shared & (ours.rare | shared_words(shared, theirs.rare)) - names
    return Telling(names, rare, shared - names - rare)


def _shared_topics(low: str, old: str, *, counted: bool, alike: bool) -> frozenset[str]:
    """The topics of both; of what is asked of the assistant alone, where one of them asks.

    Of what has numbers or days as values, both need those, and a word for the same thing: two appointments
    are two.
    """
    ours, theirs = topics_of(low), topics_of(old)
    topics = frozenset(
        name
        for name in ours.keys() & theirs.keys()
        if name not in COUNTED or (counted and (alike or name in _ONE_NUMBER or ours[name] & theirs[name]))
    )
    return topics & _TO_THE_ASSISTANT if asks(low) or asks(old) else topics


def asks(text: str) -> bool:
    """Whether a text begins like what is asked of the assistant."""
    words = words_in(text.lower())
    while len(words) > 1 and words[0] in _ASIDE:
        words = words[1:]
    return bool(words) and _ORDER.match(words[0]) is not None


def _has_other_value(low: str, old: str, topics: frozenset[str]) -> bool:
    ours, theirs = topics_of(low), topics_of(old)
    return any(ours[name] - theirs[name] for name in topics & VALUES)


def _sounds(piece: Piece) -> bool:
    return bool(cues_of(piece.low)) and _is_real(piece)


def _is_real(piece: Piece) -> bool:
    unreal = is_unreal(piece.low) and not _LASTING.search(piece.low)
    return not unreal and not is_only_bought(piece.low, piece.low) and not _MEANT.search(piece.low)


class _Shown(NamedTuple):
    """What of that a piece of the message shows.

    Attributes:
        words: Names and rare words that it is about.
        names: The names among them.
        nouns: Common nouns.
        topics: Topics.
        one: Those of which people have one at a time.
        moved: Whether another number or day is told of what both name.
    """

    words: frozenset[str]
    names: frozenset[str]
    nouns: frozenset[str]
    topics: frozenset[str]
    one: frozenset[str]
    moved: bool


def _score(piece: Piece, shared: _Shared) -> Score | None:
    cues = cues_of(piece.low)
    if not cues or (piece.of == "you" and not shared.topics & _TO_THE_ASSISTANT):
        return None
    shown = _shown(piece, shared)
    enough = _is_sure(piece, shown, shared) if "sure" in cues else _is_likely(piece, shown, shared)
    words = 2 * len(shown.words) + len(shared.words.names | shared.words.rare) + len(shown.nouns)
    return Score(words, 2 * len(shown.one) + len(shared.topics)) if enough else None


def _shown(piece: Piece, shared: _Shared) -> _Shown:
    low = piece.low
    told = topics_of(low)
    here = [
        name for name in shared.topics & told.keys() if not all(tells_which(one, low) for one in told[name])
    ]
    words = frozenset(
        one
        for one in shared.words.names | shared.words.rare
        if one == piece.of or (one in low and not tells_which(one, low))
    )
    nouns = frozenset(one for one in shared.words.nouns if one in low)
    topics = shared.stated.union(here)
    named = shared.words.names or shared.words.rare or nouns
    moved = bool(shared.counted and shared.differ and named and (shared.topics or shared.short))
    return _Shown(words, words & shared.words.names, nouns, topics, topics - SEVERAL, moved)


def _is_sure(piece: Piece, shown: _Shown, shared: _Shared) -> bool:
    """Whether a piece that surely tells of a change may tell of this one."""
    elsewhere = shared.words.names or shared.words.rare
    if _ADDED.search(piece.low) and not shown.moved:
        return False
    if shown.words or shown.moved or (elsewhere and (shared.topics or shared.differ)):
        return True
    alike = shown.one or (shown.nouns and (shown.topics or shared.brief))
    other = shared.topics - SEVERAL and shared.differ
    return bool(alike or other)


def _is_likely(piece: Piece, shown: _Shown, shared: _Shared) -> bool:
    """Whether a piece that may tell of a change, or of something new, tells of this one."""
    cues = cues_of(piece.low)
    if _ADDED.search(piece.low) or (_PASSING.search(piece.low) and not shown.moved):
        return False
    if "new" in cues and topics_of(cues["new"]).keys() & (shared.topics - SEVERAL):
        return True
    if shown.moved or (shared.denied and shown.topics) or (shown.one and shared.differ):
        return not (cues.keys() == {"new"} or ("maybe" in cues and _is_event(piece, shown)))
    if not {"now", "maybe"} & cues.keys() or ("now" not in cues and _is_event(piece, shown)):
        return False
    if shared.brief and (shown.names or (shown.words and shown.topics)):
        return True
    elsewhere = shared.words.names or shared.words.rare
    named = shown.words or (shown.nouns and "now" in cues)
    return bool((shown.one and named) or (shared.brief and elsewhere and shared.differ))


def _is_event(piece: Piece, shown: _Shown) -> bool:
    """Whether a piece tells what somebody or something named did: "Netflix cancelled my favourite show"."""
    return any(piece.low.startswith(word) for word in shown.words)


def tells_which(word: str, low: str) -> bool:
    """Whether a word only tells which thing is meant: "the Jira ticket", "tyres on the Golf"."""
    name = re.escape(word)
    before = re.findall(_BEFORE.format(name=name), low)
    behind = re.findall(rf"\b{name} ([\w'-]+)", low)
    return (
        re.search(rf"\b{name}'s (?!(?:been|gone|got|an?|not?|now)\b)\w", low) is not None
        or re.search(rf"\b(?!out|rid|tired|sick|instead)\w+ of (?:the |my |our )?{name}\b", low) is not None
        or any(one not in _TIES for one in before)
        or any(is_noun(one) and one not in _TIES and not topics_of(one) for one in behind)
    )


def _low(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").lower().split())


@lru_cache(maxsize=4096)
def _values(text: str) -> frozenset[str]:
    """The names and numbers of a text, in small letters."""
    words = enumerate(text.replace("\u2019", "'").split())
    found = (
        word.strip(".,;:!?()\"'").lower()
        for place, word in words
        if _NUMBER.search(word) or (place and word[:1].isupper() and not word.startswith("I'"))
    )
    return frozenset(word for word in found if len(word) > 1)
