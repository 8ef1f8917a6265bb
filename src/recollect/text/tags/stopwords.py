"""Words that are no tag by themselves, in any of the analyser's languages.

The lists are those of stopwords-iso. English gets three more, made by looking at the tags of chats:
fillers that the list lacks, words the list holds although people talk about them, and words that mean
something only beside another one.
"""

from functools import lru_cache
from typing import Final

from recollect.text.analyse import listed_stop_words, words

_OTHER_SCRIPTS: Final = ("ar", "el", "he", "hi", "ko", "ru")
"""One language for each script, stopped in every memory: their words cannot be mistaken for Latin ones.
Chinese, Japanese and Thai are cut apart elsewhere (see ``unspaced``)."""

_FILLERS: Final = """
yeah yep yup ya phew alright nope nah okay ok huh hey hi hiya hello bye goodbye cheers lol haha hahaha lmao
omg btw wow woah whoa woohoo yay ugh aww ooh oops hmm umm uh um gonna gotta wanna kinda sorta dunno lemme
cuz cause coz y'all doin thx ty ain't thanks thank please welcome congrats congratulations sorry glad
excited happy luck lucky really totally absolutely super pretty quite actually basically literally honestly
surely finally effectively great good nice awesome amazing cool sweet lovely fantastic wonderful incredible
perfect worth lot lots bunch bit stuff thing kind sort way guy guys people folks sounds sounded love loves
loved loving enjoy enjoys enjoyed enjoying like likes liked feel feels feeling felt hope hopes hoping hoped
guess bet wonder wondering hear hears heard hearing wait waiting waits talk talks talked talking chat
remember remind reminds reminded agree matter matters mean bring brings brought bringing start starts
started starting stay stays stayed staying happen happens happened happening come came coming check checked
checking create help helps helped helping share sharing include includes included including ensure ensures
ensuring stuck decided decide figure add adding added learn learned reach reached hit met meet
"""
"""Chatter, and verbs and adjectives of which every turn has some. Chosen by hand from the 250 most frequent
tags of two sets of chats; whatever could be what a memory is about stayed."""
_TOPICS: Final = (
    "ai cv hr ip ml pr tv uk computer research group groups home room rooms fire bill novel mug web"
)
_COMPANIONS: Final = """
new old young big small high low long short open full early late real special hard easy tough huge true
specific helpful second double first third time times day days life chance mind key set sets work works
problem problems information interest system area areas case order state value values point points page
section test tests result results number numbers member members face side end name
"""
"""Chosen by hand, like the two above."""


@lru_cache(maxsize=8)
def stop_words(language: str) -> frozenset[str]:
    """The words of a language that no tag holds, as ``words`` gives them.

    >>> "the" in stop_words("en"), "computer" in stop_words("en"), "nicht" in stop_words("de")
    (True, False, True)
    """
    listed = {
        part
        for code in (language, *_OTHER_SCRIPTS)
        for word in listed_stop_words(code)
        for part in words(word)
    }
    if language == "en":
        listed = listed - set(words(_TOPICS)) | set(words(_FILLERS))
    return frozenset(listed - companions(language))


@lru_cache(maxsize=8)
def companions(language: str) -> frozenset[str]:
    """The words of a language that are a tag only beside another: "new" in "new york". English only.

    >>> "new" in companions("en"), "neu" in companions("de")
    (True, False)
    """
    return frozenset(words(_COMPANIONS) if language == "en" else ())
