"""Words with their places, in one spelling: lower case, contractions apart, missing apostrophes known."""

import re
from typing import Final, NamedTuple

from recollect.learning.extraction.forms import THIRDS
from recollect.learning.listing import listed
from recollect.text.entities.kinds import given_name
from recollect.text.entities.vocabulary import GIVEN
from recollect.types.regex import lazy_regex


class WordToken(NamedTuple):
    """A word or a sign; the two words of "I'm" share a place.

    Attributes:
        low: How it is read: lower case, "am" for the "'m" of "I'm".
        start: Where it begins in the text.
        end: Where it ends (exclusive).
    """

    low: str
    start: int
    end: int


_TOKEN: Final = lazy_regex(
    r"https?://[^\s<>\"')\]]*[\w/]"
    r"|[$\u20ac\u00a3]?\w[\w\u0300-\u036f]*(?:['&@./:+-]\w[\w\u0300-\u036f]*|(?<=\d),\d{3}(?!\d))*(?:\+\+"
    r"|[+#%])?|\n+|\S",
    re.IGNORECASE,
)
_WHOLE: Final = {
    "im": "i am", "ive": "i have", "iam": "i am", "youre": "you are", "youve": "you have",
    "theyre": "they are", "weve": "we have", "dont": "do not", "doesnt": "does not", "didnt": "did not",
    "isnt": "is not", "arent": "are not", "wasnt": "was not", "werent": "were not", "havent": "have not",
    "hasnt": "has not", "hadnt": "had not", "cant": "can not", "cannot": "can not", "couldnt": "could not",
    "wouldnt": "would not", "shouldnt": "should not", "wont": "will not", "aint": "is not",
    "can't": "can not", "won't": "will not", "shan't": "shall not", "ain't": "is not", "gonna": "going to",
    "wanna": "want to", "gotta": "have to", "kinda": "kind of", "sorta": "sort of", "dunno": "do not know",
    "u": "you", "ur": "your", "r": "are", "thats": "that is", "whats": "what is", "hes": "he is",
    "whos": "who is", "shes": "she is", "theres": "there is", "let's": "let us", "lets": "let us",
    "favs": "favourites", "fav": "favourite", "fave": "favourite", "gf": "girlfriend", "bf": "boyfriend",
    "bff": "best friend",
    "tho": "though", "cuz": "because", "cos": "because", "coz": "because", "'cause": "because",
    "b/c": "because", "bc": "because", "w": "with", "w/": "with", "tbh": "honestly", "rn": "now",
    "rly": "really", "atm": "now", "ppl": "people", "pls": "please", "plz": "please", "luv": "love",
    "nvm": "never mind", "tryna": "trying to",
}  # fmt: skip
"""Spellings of chats. Left out is what is a word of its own: "ill", "were", "wed", "its"."""
_SIGNS: Final = {"\n": "\n", "@": "at"}
"""How signs are read."""
_PARTS: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_IS_AFTER: Final = listed("he she it that this there here who what where how when why everyone name")
"""Words whose "'s" is a verb; behind a name or a noun it mostly tells whose."""
_WOULD: Final = lazy_regex(r"(?:love|like|prefer|rather|say|be|have|want|appreciate|need|hate|enjoy|go|do)$")


def tokens_of(text: str, names: frozenset[str] = frozenset()) -> list[WordToken]:
    """The words and signs of a text, in order.

    Args:
        text: What was said.
        names: Names, in small letters, of people who are known besides given names.

    >>> [token.low for token in tokens_of("I'm Ada, i dont like C++")]
    ['i', 'am', 'ada', ',', 'i', 'do', 'not', 'like', 'c++']
    """
    found: list[WordToken] = []
    for match in _TOKEN.finditer(text.replace("\u2019", "'")):
        low, start, end = match.group().lower(), *match.span()
        if low[0].isalpha():
            found += [WordToken(part, start, end) for part in _parts(low)]
        else:
            found.append(WordToken(_SIGNS.get(low[0], low), start, end))
    return _with_has(_with_is(_apostrophed(_with_would(_with_in_law(found)), text, names), text, names))


def _with_has(found: list[WordToken]) -> list[WordToken]:
    """The words with "she has got" for "she's got"."""
    behind = [token.low for token in found[1:]]
    return [
        token._replace(low="has") if token.low == "is" and _is_has(token, after) else token
        for token, after in zip(found, [*behind, ""], strict=False)
    ]


def _is_has(token: WordToken, after: str) -> bool:
    return after in {"got", "been"} or (after in _DONE and token.end - token.start <= len("'s"))


_DONE: Final = listed("moved left passed quit started lost joined broken turned")
"""Behind "Tom's" what somebody has done: "toms moved in"."""
_OF_ONES: Final = listed(
    """
    birthday mum mom dad mam sister brother wife husband partner boyfriend girlfriend number school teacher gp
    """
)
"""Behind a name without its apostrophe what is somebody's: "leos birthday"."""
_DIGITS_OF_AGE: Final = 2


def _ends_age(behind: list[WordToken]) -> bool:
    """Whether what stands behind a number lets it be an age: "leo's 9 and", but not "leo's 9 friends"."""
    return not behind or not behind[0].low[0].isalnum() or behind[0].low in _BEHIND_AGE


_BEHIND_AGE: Final = listed("and now so in on today tomorrow but already next this years yrs")


_BEHIND_IS: Final = listed(
    """
    a an the from called named allergic not vegan vegetarian coeliac celiac diabetic in also always pregnant
    married engaged single divorced based born retired gluten lactose with on at insured covered flying
    my coming visiting moving staying arriving leaving starting getting turning working living studying
    expecting
    going been got
    """
)
"""Words behind "my sister's" that make it "my sister is"."""
_FAR: Final = 3
"""Words before "'s" among which "my" stands: "my spare key's with Sofia". Chosen by hand."""
_FAVOURITES: Final = listed("favourite favorite fav fave")
_COUNTED: Final = listed("birthday anniversary rent salary height weight budget")
"""What has a number, so that one behind "my rent's" is what the rent is."""
_LINKS: Final = listed("and but so because since though")
_AT: Final = listed("at to from near by with of for than in on around like")
"""Behind one of these "my sister's" is her place."""


def _with_is(found: list[WordToken], text: str, names: frozenset[str]) -> list[WordToken]:
    """The words with "my sister is" for "my sister's", where it cannot be what is hers."""
    split: list[WordToken] = []
    for place, token in enumerate(found):
        if token.low.endswith("'s") and _is_verb(found, place, text, names):
            cut = token.start + len(token.low) - len("'s")
            split += [WordToken(token.low[:-2], token.start, cut), WordToken("is", cut, token.end)]
        else:
            split.append(token)
    return split


def _is_verb(found: list[WordToken], place: int, text: str, names: frozenset[str]) -> bool:
    """Whether the "'s" of a word is a verb."""
    after = found[place + 1].low if place + 1 < len(found) else ""
    owned = next(
        (far for far in range(1, min(place, _FAR) + 1) if found[place - far].low in {"my", "our"}), 0
    )
    if any(not one.low.isalpha() for one in found[place - max(owned - 1, 0) : place]):
        owned = 0
    before = found[place - 1 - owned].low if place > owned else ","
    ends = place + 2 >= len(found) or not found[place + 2].low[0].isalnum()
    if ends and place > 0 and found[place - 1].low in _FAVOURITES:
        return True
    if not (before not in _AT if owned else before in _LINKS or not before[0].isalnum()):
        return False
    starts = place == owned or not before[0].isalnum()
    digits = after.isdigit() and (ends or found[place + 2].low.isdigit())
    counted = found[place].low.removesuffix("'s") in _COUNTED and after[:1].isdigit()
    told = owned > 0 and ("@" in after or digits or counted)
    name = found[place].low.removesuffix("'s")
    of_one = starts and (name in names or given_name(name) != "")
    aged = of_one and after.isdecimal() and len(after) <= _DIGITS_OF_AGE and _ends_age(found[place + 2 :])
    if aged or (of_one and after in _DONE):
        return True
    return after in _BEHIND_IS or told or (starts and _is_a_name(found[place + 1 : place + 3], text))


def _is_a_name(after: list[WordToken], text: str) -> bool:
    """Whether a given name stands last: "my manager's Aisha"."""
    ends = len(after) == 1 or (len(after) > 1 and not after[1].low[0].isalnum())
    return ends and text[after[0].start : after[0].end] in GIVEN


def _parts(low: str) -> list[str]:
    if low in _WHOLE:
        return _WHOLE[low].split()
    if "'" not in low:
        return [low]
    if low.endswith("n't"):
        return [low[:-3], "not"]
    head, apostrophe, tail = low.rpartition("'")
    if apostrophe + tail in _PARTS:
        return [head, _PARTS[apostrophe + tail]]
    if tail == "s" and head in _IS_AFTER:
        return [head, "is"]
    return [low]


def _with_in_law(found: list[WordToken]) -> list[WordToken]:
    """The words with "mother in law" and "great nephew" as one."""
    for at in reversed([at for at, token in enumerate(found) if token.low.removesuffix("'s") in _GREATS]):
        if at and found[at - 1].low == "great":
            found[at - 1 : at + 1] = [WordToken(f"great-{found[at].low}", found[at - 1].start, found[at].end)]
    places = [at for at, token in enumerate(found[2:], start=2) if token.low.removesuffix("'s") == "law"]
    for at in reversed(places):
        kin, link, law = found[at - 2 : at + 1]
        if kin.low in _IN_LAWS and link.low == "in":
            found[at - 2 : at + 1] = [WordToken(f"{kin.low}-in-{law.low}", kin.start, law.end)]
    return found


def _apostrophed(found: list[WordToken], text: str, names: frozenset[str]) -> list[WordToken]:
    """The words with "my supervisor's a" for "my supervisors a": several would not be one.

    So are "my wifes allergic", "my birthdays 3 May" and, of a given name, "paulines got".
    """
    none = WordToken("", 0, 0)
    return [
        token._replace(low=f"{token.low[:-1]}'s") if _lacks_sign(before, token, after, text, names) else token
        for before, token, after in zip([none, *found], found, [*found[1:], none], strict=False)
    ]


def _lacks_sign(
    before: WordToken, token: WordToken, after: WordToken, text: str, names: frozenset[str]
) -> bool:
    """Whether a word is another one with "is", "has" or what is theirs, and lacks its apostrophe."""
    word = token.low
    if not word.endswith("s") or word.endswith(("'s", "ss")) or not after.low[:1].isalnum():
        return False
    if before.low in {"my", "our"}:
        single = word[:-1] in _ONE_KIN and after.low not in _MANY_BEHIND
        return after.low in _ONE_BEHIND or single or (word[:-1] in _ONE_THING and after.low not in _ARE)
    name = text[token.start : token.end].title()
    if not (given_name(name[:-1]) or word[:-1] in names) or name in GIVEN or word in THIRDS:
        return False
    aged = after.low.isdecimal() and len(after.low) <= _DIGITS_OF_AGE
    return aged or after.low in _ONE_BEHIND | _BEHIND_IS | _DONE | _OF_ONES


_ONE_BEHIND: Final = listed("a an called named leaving turning getting moving got allergic been")
_ARE: Final = listed("are were have")
_MANY_BEHIND: Final = _ARE | listed("and or both all who that which live work love like hate want need go do")
_ONE_KIN: Final = listed(
    """
    wife husband mum mom mam mother dad father partner boyfriend girlfriend fiance nan nana gran grandma
    grandad granddad grandpa gf bf ex boss landlord landlady
    """
)
_ONE_THING: Final = listed("birthday surname name job rent salary pension address hometown")
"""What one has one of, so that "my wifes" and "my birthdays" lack an apostrophe."""
_GREATS: Final = listed(
    "nephew niece aunt uncle grandson granddaughter grandchildren grandmother grandfather"
)
_IN_LAWS: Final = listed("mother father sister brother son daughter")


def _with_would(found: list[WordToken]) -> list[WordToken]:
    """The words with "id love to" as "I would love to"; "id" alone is something else."""
    if not any(token.low == "id" for token in found):
        return found
    mended: list[WordToken] = []
    for token, after in zip(found, [*found[1:], WordToken("", 0, 0)], strict=True):
        if token.low == "id" and _WOULD.match(after.low):
            mended += [token._replace(low="i"), token._replace(low="would")]
        else:
            mended.append(token)
    return mended
