"""The language of a text, as far as names need it: function words, and words that begin sentences."""

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

from recollect.text.analyse import listed_stop_words


def language_of(text: str, words: Sequence[str] | None, home: str) -> str:
    """The language a text is plainly in; ``home`` where nothing shows one."""
    tokens: Collection[str] = _bare_words(text) if words is None else words
    if home == "en" and _ANY_SIGN.isdisjoint(tokens):
        return home
    there = set(tokens)
    counted = {language: len(signs & there) for language, signs in _SIGNS.items()}
    best = max(counted, key=lambda language: counted[language])
    return best if counted[best] >= _FEWEST_SIGNS and counted[best] > counted.get(home, 0) else home


def _bare_words(text: str) -> list[str]:
    """The words of any text in lower case, cut as cheaply as can be."""
    lower = text.lower().replace("'", " ").replace("\u2019", " ")
    return [word.strip("\"'.,;:!?()\u00bf\u00a1\u2026") for word in lower.split()]


@cache
def opening_words(language: str) -> frozenset[str]:
    """Words of another language than English that begin sentences, in lower case."""
    listed = listed_stop_words(language) if language in _LISTED else ()
    return frozenset(listed) | frozenset(_OPENERS.get(language, "").split())


@cache
def behind_a_name(language: str) -> re.Pattern[str]:
    """What follows a name at the start of a sentence, and hardly ever another word there."""
    return re.compile(rf"[ \t](?:{_FOLLOWING.get(language, _FOLLOWING['en'])})(?!\w)")


_FEWEST_SIGNS: Final = 2
"""Different words of another language that show it. Chosen by hand."""
_LISTED: Final = frozenset(
    """
    bg ca cs da de el es et fi fr hr hu id it lt lv nl no pl pt ro ru sk sv tr uk
    """.split()  # noqa: SIM905 - codes read better than many strings
)
"""Languages whose letters have capitals and whose stop words stopwords-iso lists."""
_SIGNS_OF: Final = {
    "en": """
        the and to of i you it is that was for my with have are we this your be not so what he she they
        do did how when who where
    """,
    "de": """
        und der das nicht ich ist wir auf für fuer eine einen einem mit dem sich auch sie es vom zum zur
        habe hat haben sind noch aber wie mein meine nach bei aus kein keine uns wird kann
    """,
    "fr": """
        le les des est une et pas je il elle nous vous avec dans sur pour qui que mon ma mes ses aux au
        du ce cette suis avons c j l d qu à
    """,
    "es": """
        el los las es una y con por para que mi mis su sus en del pero muy está soy tengo lo se ha fue
        están estoy la
    """,
    "it": "il gli che non una per sono ho mio mia nel della e è ha di",
    "pt": "os uma não com para que meu minha em do da na é eu você um",
    "nl": "het een niet ik dat zijn voor maar ook bij mijn naar en van",
}
_SIGNS: Final = {language: frozenset(signs.split()) for language, signs in _SIGNS_OF.items()}
"""The commonest words of grammar. Chosen by hand."""
_ANY_SIGN: Final = frozenset().union(*[signs for language, signs in _SIGNS.items() if language != "en"])
_OPENERS: Final = {
    "de": """
        hallo hi hey danke vielen guten gute liebe lieber liebes grüße gestern bitte nächste nächsten
        nächster letzte letzten leider leben alles servus moin tschüss schönen schöne schön schöner toll
        super klar genau glückwunsch herzlichen entschuldigung wow na ach oh naja achja jep nö zum zur
        am im beim vom ans ins
    """,
    "fr": """
        bonjour bonsoir salut hier demain bonne bon joyeux joyeuse vraiment peut c'est y'a bienvenue
        désolé désolée félicitations coucou oui non super génial chouette merci rendez rendez-vous
        grosses bisous aujourd'hui ouais d'accord mince zut hein ben bah
    """,
    "es": """
        gracias hola mañana feliz felices adiós vale señor enhorabuena perdón oye mira genial claro
        ojalá anoche jaja querido querida saludos besos
    """,
    "it": "ciao grazie ieri oggi domani buongiorno buonasera buona buon scusa prego certo caro cara bene sì",
    "pt": "olá oi obrigado obrigada ontem hoje amanhã bom boa feliz desculpa claro caro cara sim tchau",
    "nl": """
        hallo hoi dank bedankt gisteren vandaag morgen goede goedemorgen lieve beste leuk mooi sorry ja
        nee
    """,
    "sv": "hej tack igår idag imorgon god ja nej",
    "pl": "cześć dziękuję wczoraj dzisiaj dziś jutro dobry tak nie",
    "tr": "merhaba teşekkürler dün bugün yar\u0131n evet hay\u0131r",
    "ru": """
        привет спасибо вчера сегодня завтра да нет здравствуйте доброе добрый
    """,
}  # fmt: skip
"""Greetings, thanks and days: what stopwords-iso lacks. Chosen by hand."""
_FOLLOWING: Final = {
    "en": (
        "said|says|told|tells|asked|asks|went|goes|came|comes|called|calls|wanted|wants|loved|loves|liked|likes"
        "|thought|thinks|knew|knows|got|gets|took|takes|gave|gives|made|makes|bought|brought|lived|lives|worked"
        "|works|moved|moves|played|plays|taught|teaches|studied|studies|met|married|wrote|writes|sent|left|lost"
        "|started|joined|won|died|laughed|ran|runs|kept|sold|spoke|speaks|drove|drives|flew|found|felt"
        "|grew|heard|held|paid|sat|slept|spent|stood|read|reads|saw|sees|ate|eats|drank|drinks"
        "|sang|sings|swam|swims|led|leads|fell|and I|has|had|is|was|will|would|can|could|did|does|isn't"
        "|wasn't|doesn't|didn't|hasn't|just|also|still|never|always|really|already"
    ),
    "de": "sagt|sagte|hat|hatte|ist|war|kommt|kam|geht|ging|wohnt|arbeitet|will|wollte|und ich",
    "fr": (
        "est|était|a|avait|va|dit|habite|travaille|aime|adore|arrive|part|joue|pense|fait|vient|peut|doit|veut"
        "|viendra|sera|et moi|m'a|n'est|n'a"
    ),
    "es": "es|era|está|fue|ha|tiene|dice|dijo|va|vive|trabaja|quiere|juega|vino|viene|llegó|y yo",
    "it": "è|era|ha|dice|va|vive|abita|lavora|vuole",
    "pt": "é|era|está|foi|tem|disse|vai|mora|trabalha|quer",
    "nl": "is|was|heeft|had|zegt|zei|gaat|komt|kwam|woont|werkt|wil",
}
"""Verbs of a third person, and what joins somebody with the speaker. Chosen by hand."""
