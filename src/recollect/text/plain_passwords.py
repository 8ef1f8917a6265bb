"""Passwords that are one plain word, by what is said of them: "my password is swordfish".

Nothing in such a word tells that it is a password. What tells is that it ends its clause right behind
"password is", in four languages, and is no word that speaks about a password: "wrong", "expired",
"required", "on the fridge". Those are listed, and known by their endings; a list is never whole, so that now
and then an adjective is taken for a password.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tongue:
    """How a password is told in a language.

    Attributes:
        told: Up to the word and with it, its only group.
        about: What speaks about a password.
        endings: Of words that do, too.
        nouns_are_capital: Whether a word with a capital is a noun, so that its ending says nothing.
    """

    told: re.Pattern[str]
    about: frozenset[str]
    endings: re.Pattern[str]
    nouns_are_capital: bool = False


def find_plain_passwords(text: str) -> Iterator[tuple[int, int]]:
    """The places of plain words that are told to be passwords.

    >>> list(find_plain_passwords("It is swordfish: the password is swordfish."))
    [(33, 42)]
    >>> list(find_plain_passwords("The password is wrong. The password is in the drawer."))
    []
    """
    for tongue in _TONGUES:
        for match in tongue.told.finditer(text):
            if _CLAUSE_END.match(text, match.end()) and not _speaks_about(match[1], tongue):
                yield match.span(1)


def _speaks_about(word: str, tongue: _Tongue) -> bool:
    if (plain := word.lower()) in tongue.about or _NAME.fullmatch(plain):
        return True
    is_noun = tongue.nouns_are_capital and word[0].isupper() and word[1:].islower()
    return not is_noun and tongue.endings.search(plain) is not None


_NAME: Final = re.compile(
    r"pass(?:wor[dt]|wd|phrase|code)|pwd|kennwort|mot de passe|contrase[n\u00f1]a", re.IGNORECASE
)
_CLAUSE_END: Final = re.compile(
    r"\s*\Z|[ \t]*\n|[ \t]*[^\w\s'\u2019/@:%&=+*#$\[-]|[ \t]+[-\u2013\u2014][ \t]"
    r"|[ \t]+(?:and|but|so|or|for|if|please|pls|btw|thanks|und|aber|oder|f\u00fcr|falls|bitte|danke"
    r"|et|mais|ou|pour|merci|y|pero|o|para|gracias)\b",
    re.IGNORECASE,
)


def _told(verbs: str, adverbs: str, of: str) -> re.Pattern[str]:
    space = r"[ \t]{1,3}"
    return re.compile(
        rf"(?<!1)(?:{_NAME.pattern})(?:{space}(?:{of})(?:{space}[\w.'\u2019@-]{{1,40}}){{1,5}}?)?"
        rf"{space}(?:{verbs})(?:{space}(?:{adverbs}))?:?{space}([^\W\d_]{{3,40}})(?![\w'\u2019@/-]|\.\w)",
        re.IGNORECASE,
    )


_ENGLISH: Final = """
    about above absent active actually adequate again ahead all alphabetic alphanumeric already alright
    also always ambiguous ancient anymore anyone anything apparent appropriate apt around ascii authentic
    automatic average away awesome awful awkward back bad basic below best better binary blank blocked
    bogus bool both brilliant broken brutal bulletproof bytes catchy certain char cheap classified clear
    clever cliche closed common complete complex complexity compulsory confidential confirmed constant
    cool correct crap crazy critical crucial cryptic current cute dead decent default dependent different
    difficult done down due dumb dynamic easier easiest easy elaborate elsewhere empty encrypted english
    enough epic essential eternal ever everybody everyone everything everywhere evident exact excellent
    excessive external fake false fast final fine first foolproof forbidden forever forgotten foul found
    free french fresh frozen full fun funny garbage generic genuine german gibberish given global gold
    gone good great hackproof half handwritten handy hard harder hardest hashed her here hers hexadecimal
    hidden highest him his historic history horrific identical idiotic iffy illegal important impossible
    improper in inactive inadequate inappropriate incomplete incorrect insane insecure insensitive inside
    insufficient intact internal intricate invalid ironclad ironic irrelevant it junk just kaput kept key
    known lame last later latest least left legacy legal legit length lengthy less likely live local
    logical long longer longest longish loose lost lower lowercase lowest mad mandatory manual maybe me
    mediocre meh mine minimal missing misspelt moot more moronic most near nearby neat necessary neutral
    never new newer next nice nil nobody none nonexistent nonsense normal not nothing now nowhere null
    numeric numerical obligatory obsolete obvious odd off official offline often okay old older once one
    online only open optimal optional ordinary ours out outdated outside over overkill paramount partial
    pathetic perfect permanent personal plain plaintext poor possible precise pretty primary private
    proper provisional public random ready real really recent redundant regular relevant reliable required
    reset retro right robust rotten rubbish sacred sad safe same second secondary secret secrets secure
    security sensitive sent set shared shit short shorter shortest shown sick silly similar simple simpler
    simplistic slow smart solid someone somewhere soon sound spanish special specific spelt stale standard
    static sticky stolen str strange strength string strong stronger strongest stuck stupid sufficient
    super sure tba tbd temporary terrible terrific text that theirs them then there these this those toast
    today tomorrow tonight too top total tough tragic transparent trash tricky trivial true twice two
    typed ugly uncertain unchanged unclear undefined under unicode unique universal unknown unlikely
    unnecessary unsafe unset unsure up upper uppercase us useful usual valid varchar very vital void
    vulnerable weak weaker weakest weird what when where which who why wonky worse worst written wrong yes
    yesterday yet yours
""".split()  # noqa: SIM905 - words read better than three hundred strings
_GERMAN: Final = """
    aktuell allen alt anders auch aus bekannt besser blöd da dabei dasselbe defekt dein deine deins doof
    dort dran drauf drin dumm egal ein einfach einmalig erlaubt euch falsch fertig fest fort frei für gar
    geheim gemein gemeinsam gestern gleich groß gut gültig heute hier identisch ihres immer inaktiv
    inkorrekt ja jedem jeder jetzt kaputt kein keines keins klar klein klug komplex korrekt kurz kürzer
    lahm lang leer leicht leider lose länger mehr mein meine meins mies morgen nein neu neuer nicht nichts
    nie niemandem nirgends noch notwendig nun nötig offen okay persönlich pflicht prima privat quatsch
    raus richtig schlecht schon schwach schwer sehr seins selten sensibel sicher so standard stark super
    temporär toll tot unbekannt unklar unser unsere unseres verloren voll vorbei weg wertlos wichtig
    wieder wo wohl wow zu zurück zwingend ähnlich älter änderbar öffentlich
""".split()  # noqa: SIM905
_FRENCH: Final = """
    absent actuel ailleurs ancien banal bon bonne caché ceci cela celui commun complexe confidentiel connu
    correct court dangereux demain difficile différent disponible dur encore essentiel exact facile faible
    faux fort génial ici identique important inconnu incorrect inutile invalide jamais juste leur long là
    mauvais meilleur mien moi même nouveau nul nécessaire nôtre obligatoire pareil parfait partout perdu
    personnel pris privé public requis rien robuste secret sien simple solide super temporaire tien
    toujours trop unique utile valide vide vieux vrai vôtre écrit
""".split()  # noqa: SIM905
_SPANISH: Final = """
    actual ahora ahí algo allí antigua antiguo aquí buena bueno clave compleja complejo común conocida
    correcta correcto corta corto diferente difícil distinta distinto débil errónea erróneo esa ese eso
    esta este esto facil falsa falso fuerte fácil genial grande hoy igual importante imposible incorrecta
    incorrecto insegura inseguro inválida inválido larga largo mala malo mañana mejor misma mismo muy mía
    mío necesaria necesario nuestra nuestro nueva nuevo nula nunca obligatoria obligatorio otra otro
    peligrosa peligroso perfecta personal posible privada privado pública público secreta secreto segura
    seguro sencilla sencillo siempre simple suficiente suya suyo temporal tuya tuyo vacía vacío vieja
    viejo válida válido única único útil
""".split()  # noqa: SIM905
"""Chosen by hand."""

_TONGUES: Final = (
    _Tongue(
        told=_told("is|was", "now|still|actually|just|currently|simply|always", "for|to|of|on|at"),
        about=frozenset(_ENGLISH),
        endings=re.compile(r"(?:ed|ing|ly|[ai]ble|ous|ful|less|ive)\Z"),
    ),
    _Tongue(
        told=_told(
            "ist|war|lautet|lautete",
            "jetzt|noch|aktuell|einfach|immer|nun",
            "f[\u00fcu]rs?|vo[nm]|zu[mr]|de[rs]",
        ),
        about=frozenset(_GERMAN),
        endings=re.compile(
            r"(?:lich|bar|los|ig|isch|haft|sam|iert|end)\Z"
            r"|\A(?:ab|an|auf|aus|ein|hinter|um|vor|zu|zur\u00fcck|weg)?ge\w{2,}(?:t|en)\Z"
            r"|\A(?:ver|ent|er|be|zer|hinter|\u00fcber)\w{2,}(?:t|en)\Z"
        ),
        nouns_are_capital=True,
    ),
    _Tongue(
        told=_told("est|\u00e9tait", "maintenant|toujours|encore", "du|de|des|pour|d'"),
        about=frozenset(_FRENCH),
        endings=re.compile(r"(?:\u00e9e?s?|[ai]ble|eux|euse|if|ive)\Z"),
    ),
    _Tongue(
        told=_told("es|era", "ahora|todav\u00eda|siempre", "del?|para"),
        about=frozenset(_SPANISH),
        endings=re.compile(r"(?:[ai]d[oa]|[ai]ble|iv[oa])\Z"),
    ),
)
