"""Passwords that are plain words: only where a word for passwords is linked to them without detours."""

from collections.abc import Iterator
from typing import Final

from recollect.text.secrets.names import OPENED, Name
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.spans import Secret
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.words import (
    ABOUT,
    ANAPHORS,
    ARTICLES,
    CALLED,
    CHANGE,
    CLAUSE_STARTS,
    COMPARES,
    FILLERS,
    FROM,
    IS,
    LANGUAGE_OF,
    NEGATION,
    OWNERS,
    SIGNS,
    THAT_IS,
    TO,
    TO_BY_LANGUAGE,
    listed,
    words,
)  # fmt: skip
from recollect.types.regex import lazy_regex


def find_plain(stretch: Stretch, names: tuple[Name, ...]) -> Iterator[Secret]:
    """The passwords of plain words that a stretch of text tells, in no order."""
    for name in names:
        tokens = stretch.tokens
        if (
            name.kind in {"password", "phrase", "spoken", "unlock", "wifi"}
            and tokens[name.last].low not in _NOT_ONE
        ):
            for first, last in (*_behind(stretch, name), *_before(stretch, name)):
                if " removed]" not in stretch.between(min(first, name.last), max(last, name.first)):
                    yield Secret(kind="password", start=tokens[first].start, end=tokens[last].end)


def find_seeds(stretch: Stretch, names: tuple[Name, ...]) -> Iterator[Secret]:
    """The seed phrases of wallets (BIP 39): 12 to 24 unrelated words, where such words are spoken of."""
    if not any(name.kind in {"wallet", "phrase"} for name in names):
        return
    tokens = stretch.tokens
    run: list[int] = []
    for place in range(len(tokens) + 1):
        is_seed = place < len(tokens) and _is_seed(tokens[place].text)
        if is_seed and (len(run) < 2 or tokens[run[-1]].stop == tokens[run[0]].stop):  # noqa: PLR2004
            run.append(place)
            continue
        if _SEED <= len(run) <= 2 * _SEED:
            yield Secret(kind="password", start=tokens[run[0]].start, end=tokens[run[-1]].end)
        run = run[1:] if is_seed and len(run) == 2 else []  # noqa: PLR2004
        run += [place] * is_seed


def _is_seed(word: str) -> bool:
    return word.isalpha() and word.islower() and 3 <= len(word) <= 9 and word not in _GRAMMAR  # noqa: PLR2004


def _behind(stretch: Stretch, name: Name) -> Iterator[tuple[int, int]]:
    """The values behind a name: "the password for the router is swordfish"."""
    tokens, place, found = stretch.tokens, name.last + 1, False
    if (end := _beside(stretch, name)) is not None:
        yield place, end
        return
    for link in range(place, min(place + _DESCRIPTION, len(tokens))):
        if tokens[link].low in _LINKS and _leads(stretch, name, link, found=found):
            value = _skip(stretch, link + 1)
            end = _words(stretch, name, link, value)
            if end is not None:
                yield value, end
                found = True
        if tokens[link].ends_sentence and not _goes_on(stretch, link + 1):
            return


def _beside(stretch: Stretch, name: Name) -> int | None:
    """The last token of a plain password right behind a name: "netflix pw popcorn"."""
    place, tokens = name.last + 1, stretch.tokens
    if place >= len(tokens) or tokens[name.last].stop or name.kind in {"wifi", "unlock"}:
        return None
    if name.kind == "phrase" and tokens[place].low not in IS:
        return _unlinked(stretch, place)
    is_pair = name.kind == "spoken" or tokens[name.last].low in _SHORT or _follows_user(stretch, name)
    is_one = is_pair and is_plain(stretch, place, name.language) and stretch.ends_clause(place)
    return place if is_one else None


def _unlinked(stretch: Stretch, place: int) -> int | None:
    """The last word of a phrase right behind its name: "the passphrase brown otter sings twice"."""
    tokens, end = stretch.tokens, place
    while end < len(tokens) and _is_seed(tokens[end].text):
        end += 1
        if tokens[end - 1].stop:
            break
    about = sum(speaks_about(token.text, "en") for token in tokens[place:end])
    return end - 1 if end - place >= max(_PLAIN_WORDS, 4 * about) else None


def _follows_user(stretch: Stretch, name: Name) -> bool:
    """Whether a user's name or a comma stands before a name: "user root and password alpine"."""
    tokens, place = stretch.tokens, name.first - 1
    if place >= 0 and tokens[place].stop == ",":
        return True
    return any(token.low in _USERS for token in tokens[max(0, name.first - 4) : name.first])


def _leads(stretch: Stretch, name: Name, link: int, *, found: bool) -> bool:
    """Whether only what the password is for stands between its name and a link."""
    tokens, gap = stretch.tokens, stretch.tokens[name.last + 1 : link]
    word, last = tokens[link].low, gap[-1].low if gap else ""
    if name.kind == "wifi":
        return not gap and word == "="
    if name.kind == "unlock":
        stops = any(token.stop for token in tokens[name.last : link])
        return len(gap) <= _NEAR and word in _WITH and not stops and _opens(stretch, name)
    changed = CHANGE.search(stretch.between(*stretch.sentence(name.first))) is not None
    if (found or changed) and (last in ANAPHORS or word in ANAPHORS):
        return True
    if word in TO_BY_LANGUAGE[name.language] or word in FROM:
        if not gap and word in _PURPOSES:
            return False
        return changed and (bool(gap) or not tokens[min(link + 1, len(tokens) - 1)].text[0].isupper())
    if name.kind == "phrase" and (word in _USES or word in SIGNS):
        return not any(token.ends_sentence for token in tokens[name.last : link])
    is_link = word in IS and (word != "'s" or not gap)
    return is_link and not found and _describes(stretch, name, link)


def _describes(stretch: Stretch, name: Name, link: int) -> bool:
    """Whether what stands between a name and a link is what the password is for: "for the router"."""
    gap, word = stretch.tokens[name.last + 1 : link], stretch.tokens[link].low
    stops = [token.stop for token in stretch.tokens[name.last : link]]
    last = gap[-1].low if gap else ""
    if _HEART.search(stretch.between(name.last + 1, link)):
        return False
    if word in SIGNS and len(gap) == 1 and not any(stops[1:]):
        return True
    if any(stop and stop in ".!?;\n" for stop in stops):
        return last in ANAPHORS or word in ANAPHORS or (word in SIGNS and stops[-1] == "?")
    if not gap:
        return not stops[0] or word in SIGNS or word in ANAPHORS
    if "," in stops and word not in SIGNS:
        is_inserted = stops[0] == stops[-1] == ","
        return is_inserted or (len(gap) == 1 and last in ANAPHORS | THAT_IS | _WHICH)
    head = gap[0]
    return (
        head.low in ABOUT
        or head.low in ANAPHORS
        or head.low in FILLERS
        or head.low in _WILL
        or head.text[0].isupper()
    )


def _opens(stretch: Stretch, name: Name) -> bool:
    """Whether a sentence names what is unlocked: "my laptop unlocks with swordfish"."""
    return OPENED.search(stretch.between(*stretch.sentence(name.first))) is not None


def _skip(stretch: Stretch, place: int) -> int:
    """The first token at a place or behind it that does not only fill in."""
    tokens = stretch.tokens
    while (
        place + 1 < len(tokens)
        and not tokens[place].stop
        and _fills(tokens[place].low, tokens[place + 1].low)
    ):
        place += 1
    return place


def _fills(word: str, follower: str) -> bool:
    return word in SIGNS or (word in ARTICLES and follower in CALLED) or word in FILLERS - ARTICLES - {"to"}


def _goes_on(stretch: Stretch, place: int) -> bool:
    """Whether a sentence is about what the one before it named: "It's swordfish."."""
    return place < len(stretch.tokens) and stretch.tokens[place].low in ANAPHORS


def _words(stretch: Stretch, name: Name, link: int, place: int) -> int | None:
    """The last token of a plain value; None where there is none."""
    tokens = stretch.tokens
    if (
        place >= len(tokens)
        or tokens[link].stop == "\n"
        or any(token.low in NEGATION for token in tokens[link:place])
    ):
        return None
    if name.kind == "phrase" and (end := phrase(stretch, place)) is not None:
        return end
    word = tokens[link].low
    if name.kind == "unlock" and tokens[place].low in _USERS:
        return None
    language = name.language if name.language != "en" else LANGUAGE_OF.get(word, "en")
    language = "" if word in SIGNS else language
    if word in FROM:
        is_pair = place + 1 < len(tokens) and tokens[place + 1].low in TO_BY_LANGUAGE[name.language]
        return place if is_pair and is_plain(stretch, place, language) else None
    return plain_words(stretch, place, language)


def _before(stretch: Stretch, name: Name) -> Iterator[tuple[int, int]]:
    """A plain word that is said to be the password: "I use pumpkin as my password"."""
    tokens = stretch.tokens
    if name.kind not in {"password", "spoken", "phrase"}:
        return
    begin, _ = stretch.sentence(name.first)
    for place in range(max(begin, name.first - _NEAR), name.first - 1):
        gap = [token.low for token in tokens[place + 1 : name.first]]
        if not all(word in OWNERS or OPENED.fullmatch(word) for word in gap[1:]) or not is_plain(
            stretch, place, name.language
        ):
            continue
        is_entered = gap[0] in COMPARES and place > begin and tokens[place - 1].low in _USES
        is_stated = gap[0] in IS - SIGNS and place == begin and not tokens[place].stop and len(gap) > 1
        denied = any(token.low in NEGATION for token in tokens[begin:place])
        if (is_entered or (is_stated and stretch.ends_description(name.last))) and not denied:
            yield place, place
    word = begin - 1
    is_named_after = begin == name.first - 2 and tokens[begin].low in THAT_IS and begin > 0
    if is_named_after and stretch.sentence(word)[0] == word and is_plain(stretch, word, name.language):
        yield word, word


def phrase(stretch: Stretch, place: int) -> int | None:
    """The last token of a phrase of several plain words, which goes on to the end of its clause."""
    tokens = stretch.tokens
    if speaks_about(tokens[place].text, "en") and tokens[place].low not in _ARTICLES:
        return None
    end, most = place, min(place + _LONGEST_PHRASE, len(tokens) - 1)
    while end < most and not _ends_phrase(stretch, end, place):
        end += 1
    about = [
        speaks_about(token.text, "en") and token.low not in _ARTICLES for token in tokens[place + 1 : end + 1]
    ]
    return end if about and 4 * sum(about) <= len(about) else None


def _ends_phrase(stretch: Stretch, end: int, place: int) -> bool:
    token, follower = stretch.tokens[end], stretch.tokens[end + 1]
    if token.stop and (token.stop != "," or end >= place + 2):
        return True
    return follower.low in {"-", "\u2013", "\u2014"} or "(" in stretch.text[token.end : follower.start]


def plain_words(stretch: Stretch, place: int, language: str) -> int | None:
    """The last of at most four plain words that end their clause, none of which speaks about a password."""
    for end in range(place, min(place + _PLAIN_WORDS, len(stretch.tokens))):
        if not is_plain(stretch, end, language) or (end > place and not stretch.tokens[end].text.islower()):
            return None
        if stretch.ends_clause(end):
            return end
    return None


def is_plain(stretch: Stretch, place: int, language: str) -> bool:
    """Whether a token is a plain word, or some with hyphens, that does not speak about a password."""
    token = stretch.tokens[place]
    parts = token.text.split("-")
    return (
        len(token.text) >= _LEAST
        and not token.quoted
        and not (len(parts) == 2 and parts[1] in _SECOND_PARTS)  # noqa: PLR2004
        and all(part.isalpha() and not speaks_about(part, language) for part in parts)
    )


_PURPOSES: Final = words("pour para pra por")
"""Behind a name: what it is for, no new value."""
_SECOND_PARTS: Final = listed("second parts")
"""What makes an adjective of a word before it: "case-sensitive", "swordfish-like"."""
_LEAST: Final = 3
"""Characters of the shortest password. This and the next are chosen by hand."""
_DESCRIPTION: Final = 10
_NEAR: Final = 4
_PLAIN_WORDS: Final = 4
_LONGEST_PHRASE: Final = 25
_SEED: Final = 12
"""Words of the shortest seed phrase (BIP 39)."""
_GRAMMAR: Final = listed("grammar") | ARTICLES | ABOUT | FILLERS | IS | CLAUSE_STARTS | SIGNS
_WHICH: Final = words("which die das was qui que che cioè wat som")
_WITH: Final = words("with mit avec con med com met")
_HEART: Final = lazy_regex(
    r"heart|happiness|success|life\b|herz|erfolg|glück|cœur|coeur|bonheur|corazón|cuore|hart\b"
)
_SHORT: Final = words("pw mdp pwd key pass")
_USERS: Final = listed("users")
_WILL: Final = listed("will")
_NOT_ONE: Final = words("passwords credentials credential creds login logins log-in")
"""Names of several secrets, or of a user's name with one."""
_USES: Final = listed("uses")
_ARTICLES: Final = words(
    """
    the a an my der die das ein eine mein le la les un une mon ma el los las mi o os as um uma meu en
    ett min il lo het een
    """
)
_LINKS: Final = IS | TO | FROM | _WITH | _USES
