"""Names in German, where a capital tells nothing: every noun has one."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from recollect.text.entities.kinds import Kind
from recollect.text.entities.languages import opening_words
from recollect.text.entities.pieces import Piece
from recollect.text.entities.stretches import names_something
from recollect.text.entities.vocabulary import GIVEN, PEOPLES


def part_at_von(pieces: Sequence[Piece]) -> None:
    """Keeps "von" between given names and what follows only: "Ursula von der Leyen", "Konzert von Ada"."""
    for before, piece in itertools.pairwise(pieces):
        if piece.link.startswith(" von") and before.word not in GIVEN:
            piece.link = ""


def of_german(pieces: list[Piece]) -> None:
    """Takes the nouns off both ends of a name: "Stadt Köln", "Anna Urlaub"."""
    while len(pieces) > 1 and _is_noun(pieces[0]) and not _is_people(pieces[0]):
        del pieces[0]
    while len(pieces) > 1 and pieces[0].word in GIVEN and _is_noun(pieces[-1]):
        pieces.pop()


def is_german_name(text: str, pieces: Sequence[Piece]) -> bool:
    """Whether the pieces are a name, and not nouns."""
    if any(piece.kind >= Kind.CAPITALS for piece in pieces):
        return True
    if len(pieces) == 1:
        return _is_name_alone(text, pieces[0])
    if _is_people(pieces[0]) or any(piece.link.strip() for piece in pieces[1:]):
        return True
    return names_something(pieces) and not any(_is_noun(piece) for piece in pieces)


def _is_name_alone(text: str, piece: Piece) -> bool:
    if _is_noun(piece) or piece.kind < Kind.BOTH:
        return False
    if piece.kind is Kind.BOTH:
        return True
    before = text[max(0, piece.start - _REACH) : piece.start]
    if (other := _AND.search(before)) and other[1] in GIVEN:
        return True
    told = _BEFORE_A_NAME.search(before)
    return told is not None and not (told["dative"] and _PLURAL.search(piece.word))


def _is_people(piece: Piece) -> bool:
    """Whether a name may begin with it: "Deutsche Bank"."""
    return piece.word.lower() in PEOPLES


def _is_noun(piece: Piece) -> bool:
    """Whether a piece is, or looks like, a common noun."""
    if piece.kind >= Kind.CAPITALS:
        return False
    lower = piece.word.lower()
    return lower in _NOUNS or lower in opening_words("de") or _ENDING.fullmatch(lower) is not None


_REACH: Final = 24
"""Characters looked back at: a word that stands before a name, or another name and "und"."""
_AND: Final = re.compile(r"(?<!\w)(\w+) und[ \t]$")
_BEFORE_A_NAME: Final = re.compile(
    r"(?<!\w)(?:(?P<dative>[Mm]it|[Bb]ei|[Vv]on|[Ff]ür)|[Ii]n|[Aa]us|[Nn]ach"
    r"|[Hh]allo|[Hh]i|[Hh]ey|[Dd]anke|[Ll]iebe[rs]?|[Mm]oin|[Ss]ervus|[Tt]schüss|heißt|hieß|namens"
    r"|Freund(?:in)?|Bruder|Schwester|Sohn|Tochter|Kolleg(?:e|in)|Hund|Katze|Stadt|Firma|Chef(?:in)?),?[ \t]$"
)
"""What stands before names more often than before bare nouns."""
_PLURAL: Final = re.compile(r"e[rl]?n$")
"""Nouns in the dative plural have no article either: "mit Freunden"."""
_ENDING: Final = re.compile(
    r"\w+(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|ion|ionen|tät|täten|nis|nisse|nissen|ling|linge"
    r"|chen|lein|ismus|enz|anz|ium|zeug|stück|haus|zeit|tag|tage|tagen|platz|raum|essen|buch|abend|arbeit"
    r"|leute|leuten|kind|kinder|kindern|stunde|stunden|woche|wochen|monat|jahr|jahre|jahren|termin|karte)"
)
_NOUNS: Final = frozenset(
    """
    abend abendessen anfang angebot angst anruf antwort apfel apotheke april arbeit arm art arzt auftrag
    auge augen august ausflug auto autobahn backpulver bad bahn bahnhof balkon ball bananen bank bauch
    baum beispiel bekannte bekannten berg besprechung besuch bett bier bild bilder birnen bitte blick
    blume blumen boden boot brief brille brot bruder brötchen brüder buch bus butter bücher büro chef
    chefin computer couch dank datei deutsch ding dinge dollar dorf dose dosen druck durst ei eier eile
    eis eltern ende enkel erfolg ergebnis essen essig euro fahrrad fall familie farbe fehler feier ferien
    fernseher fest feuer film firma fisch flasche fleisch flug flughafen frage fragen frau frauen freizeit
    freude freund freunde freunden freundin freundinnen frieden frist frühling frühstück fuß fußball
    garten gast geburtstag gefühl geld gemüse gericht geschenk geschenke geschäft gesicht gespräch glas
    glück grad gramm grippe großeltern grund gruppe gruß größe grüße gurke gute gäste haar haare hals hand
    handy haus hause haushalt haut heimat herbst herz hilfe himmel hobby hochzeit hof holz honig hose
    hotel hund hunde hunger hände idee jacke jahr januar job juli junge jungen juni kaffee kalender karte
    karten kartoffeln katze katzen keller kilo kilometer kind kinder kindergarten kindern kino kirche
    kiste kisten klasse kleid koffer kollege kollegen kollegin komma konzert kopf kosten kraft kuchen kuh
    kunde kunden kunst kurs kälte käse küche laden lampe land laune leben lehrer lehrerin leute leuten
    licht liebe liebling lied liter lust mai mal mama mann mantel mark markt marmelade meer meeting mehl
    mensch menschen messer meter miete milch minute minuten mittag mittagessen mitte moment monat monate
    morgen motor mund musik mutter mutti männer märz möbel müdigkeit mühe mütter nachbar nachbarin
    nachbarn nachmittag nachricht nacht name nase natur neffe nichte notfall nudeln nummer nähe obst ofen
    oma onkel opa ordner ort ostern paar paket pakete papa papier park partner partnerin passwort pause
    pfeffer pferd pflanze pflanzen plan platz pläne polizei portion post praxis preis problem probleme
    programm projekt prozent prüfung quark quatsch rad radio rat rechnung recht regen reis reise rente
    restaurant rezept roman ruhe sache sachen saft sahne salat salz samstag schatz schere schiff schinken
    schlaf schlüssel schmerz schmerzen schnee schokolade schreibtisch schuh schuhe schule schulter
    schwester schwestern schwimmbad schüler see seife seite sekunde september sohn sommer song sonne
    sonntag spaß spaziergang spiel spiele sport sprache stadt stein stelle stock strand straße stress
    strom ströme strömen student studium stuhl stunden sturm suppe söhne tante tasche tasse team tee teil
    telefon teller termin termine tisch tochter tod tomaten tor traum treffen treppe töchter tür tüte uhr
    uhren umzug universität unterricht urlaub vater vati verein verkehr vertrag vogel väter wagen wahl
    wahrheit wald wand wasser weg weihnachten wein welt werkstatt wetter wind winter wirtschaft woche
    wochen wochenende wohnung wohnzimmer wolke wort worte wunsch wurst wörter zahl zahn zahnarzt zeit
    zeitung zettel ziel zimmer zitrone zitronen zucker zug zukunft zwiebel zwiebeln äpfel ärztin öl
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Common German nouns. Chosen by hand, the commonest only."""
