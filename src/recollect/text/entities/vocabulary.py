"""Words that are names, and capitalised words that begin a sentence and are none; from ``words.txt``.

Given names, places and products are written as they are, other words in lower case; verbs, nouns and
adjectives in their plain form (see ``kinds`` for the others). Chosen by hand, and completed by the words that
begin sentences and headings in 9,000 turns of LoCoMo and BEAM and occur there in lower case, too. Only where
capitals say nothing must a name be listed: at the beginning of a sentence, alone, and in German.
"""

from pathlib import Path
from typing import Final

from recollect.text.lists import read_lists

LISTS: Final = {
    name: frozenset(words.split())
    for name, words in read_lists(Path(__file__).with_name("words.txt")).items()
}

FUNCTION: Final = LISTS["function"]
"""Words of grammar, adverbs that open a sentence, interjections, and what chats are shortened to."""
KIN: Final = LISTS["kin"]
"""What people are called by who they are, and what stands behind names: never a name alone."""
TITLES: Final = LISTS["titles"]
"""Titles: left out of a name, and a sign that one follows."""
VERBS: Final = LISTS["verbs"]
"""Verbs: a name behind one at the start of a sentence stands alone ("Visit Paris")."""
NOUNS: Final = LISTS["nouns"]
"""Nouns that stand at the start of a sentence without an article, and those of headings and lists."""
ADJECTIVES: Final = LISTS["adjectives"]
GIVEN: Final = LISTS["given"]
"""Given names of English, German, French and Spanish speakers, and the commonest of others."""
PLACES: Final = LISTS["places"]
"""Countries and large cities, as English, German, French and Spanish spell them."""
MADE: Final = LISTS["made"]
"""Firms and products. Those that are English words, too, are found inside a sentence only."""
DAYS: Final = LISTS["days"]
"""Days, months and holidays, in lower case: times, which the dates tell."""
PEOPLES: Final = LISTS["peoples"]
"""Peoples, languages and creeds, in lower case: no names alone; they may begin one ("French Open")."""
EVERYDAY: Final = LISTS["everyday"]
"""Acronyms of common nouns, units and legal forms, in lower case: no names by themselves."""
