"""Words that speak about a password rather than are one: "wrong", "expired", "required", "abgelaufen".

Nothing in a plain word tells that it is a password. Where one stands in a password's place, what speaks about
passwords is listed here, and known by its ending; a list is never whole, so that now and then an adjective is
taken for a password.
"""

from typing import Final

from recollect.text.secrets.words import listed
from recollect.types.regex import lazy_regex


def speaks_about(word: str, language: str) -> bool:
    """Whether a word in a password's place is about the password.

    Args:
        word: One word.
        language: Whose endings count: "en", "de", "fr", "es", "sv", "pt", "it", "nl", or "" for none.

    >>> [speaks_about(word, "en") for word in ("wrong", "hackable", "swordfish")]
    [True, True, False]
    """
    plain = word.lower()
    if plain in _ABOUT:
        return True
    if not language:
        return False
    is_noun = language == "de" and word[0].isupper() and word[1:].islower()
    return not is_noun and _ENDINGS[language].search(plain) is not None


_ABOUT: Final = listed("speaks about")
_ENDINGS: Final = {
    "en": lazy_regex(r"(?:(?<!e)ed|[aeiouy]\w*ing|(?<!f)(?<!li)(?<!el)ly|[ai]ble|ous|ful|less|(?<!ol)ive)\Z"),
    "de": lazy_regex(
        r"(?:lich|bar|los|ig|isch|haft|sam|iert|end)\Z"
        r"|\A(?:ab|an|auf|aus|ein|hinter|um|vor|zu|zur\u00fcck|weg)?ge\w{2,}(?:t|en)\Z"
        r"|\A(?:ver|ent|er|be|zer|hinter|\u00fcber)\w{2,}(?:t|en)\Z"
    ),
    "fr": lazy_regex(r"(?:\u00e9e?s?|[ai]ble|eux|euse|if|ive)\Z"),
    "es": lazy_regex(r"(?:[ai]d[oa]|[ai]ble|iv[oa])\Z"),
    "sv": lazy_regex(r"(?:a[dt]|bar[t]?|lig[t]?|l\u00f6st?|isk[t]?|sam[t]?)\Z"),
    "it": lazy_regex(r"(?:at[oa]|ut[oa]|it[oa]|[ai]bile|iv[oa]|mente)\Z"),
    "nl": lazy_regex(r"(?:lijk|baar|loos|ig|isch|zaam)\Z|\A(?:ge|ver|ont|be)\w{2,}(?:d|t|en)\Z"),
    "pt": lazy_regex(r"(?:[ai]d[oa]|[\u00e1\u00ed]vel|iv[oa]|mente)\Z"),
}
