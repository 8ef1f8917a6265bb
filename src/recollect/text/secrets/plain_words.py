"""Words that speak about a password rather than are one: "wrong", "expired", "required", "abgelaufen".

Nothing in a plain word tells that it is a password. Where one stands in a password's place, what speaks about
passwords is listed here, and known by its ending; a list is never whole, so that now and then an adjective is
taken for a password.
"""

from typing import Final

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
    super sure tba tbd temporary terrible terrific text that theirs them then there these this those to date
    credentials details login logins auth authentication make choose keep put pick enter type
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
_SWEDISH: Final = """
    allt alltid annat annorlunda bara borta bra bättre dags densamma dessutom dålig dåligt då där
    enkel enkelt er ett fel fortfarande fri färdig för gammal gammalt gemensamt giltigt glömt
    hemligt hemlig här hos högst i ingen inget inte inställt jättelångt kort krypterat känd känt
    klart knäckt lika lång långt låst lätt min mitt nog ny nytt nödvändigt ogiltigt okej okänt olika
    onödigt personligt rätt samma sant skit slut snart starkt stulet svag svagt svår svårt säkert
    säker sämre tillfälligt tom tomt trasigt unikt utgånget vad viktigt värdelöst väldigt än ändrat
    öppet
""".split()  # noqa: SIM905
_PORTUGUESE: Final = """
    agora algo aqui antiga antigo boa bom bonita certa certo comprida comum complexa correta curta
    demais diferente difícil errada errado essa esse esta este fácil fraca forte grande hoje
    horrível igual importante impossível incorreta inválida isso isto longa mais mesma meu minha
    mesmo muito nada nenhuma necessária nossa nova novo nula nunca obrigatória outra outro padrão
    parecida perfeita pessoal pequena privada péssima pública ridícula ruim secreta segura sempre
    sensível simples só suficiente sua temporária toda tudo uma vazia velha válida única ótima óbvia
""".split()  # noqa: SIM905
_ITALIAN: Final = """
    adesso ancora altra altro attuale bella bello bloccata brutta buona comune complessa complicata corretta
    corta
    debole difficile diversa dimenticata errata facile falsa forte giusta identica importante impossibile
    inutile
    lunga mai meglio mia migliore molto necessaria niente nostra nota nulla nuova obbligatoria oggi perduta
    perfetta
    personale privata pubblica quella questa qui scaduta segreta sempre semplice sbagliata sicura simile
    solita
    stessa sua tua troppo tutto unica uguale utile valida vecchia vuota
""".split()  # noqa: SIM905
_DUTCH: Final = """
    al alles altijd anders bekend belangrijk beter blijkbaar daar dezelfde eenvoudig erg ergens fout geheim
    geldig
    gelijk gewijzigd goed hetzelfde hier iets jammer kapot klaar kort kwijt lang langer leeg lastig makkelijk
    mijn moeilijk nergens niet niets nieuw nodig nog nooit oké onbekend onthouden onveilig onze open oud
    persoonlijk
    simpel slecht standaard sterk tijdelijk uniek veilig vergeten verkeerd verlopen verplicht weer weg zwak zo
    onjuist overal privé waardeloos
""".split()  # noqa: SIM905
_COMMON: Final = """
    password passwort passwd passphrase passcode pwd kennwort contraseña clave lösenord senha code
    pin login username user netflix spotify gmail google disney amazon apple facebook instagram wifi
    wlan router email mail laptop phone bank vpn bitwarden lastpass dashlane keepass keychain face
    fingerprint touch biometrics monday tuesday wednesday thursday friday saturday sunday january
    february march april june july august september october november december week weeks month
    months year years days bool bytes changed char empty encrypted expired hashed input missing none
    null optional reset str string true false undefined unset varchar yes no your somebody someone
    expire renew renewal recover retry help refresh protect secure access because guess remember
    crack steal stored than then thing things stuff it's that's length issue problem question idea
    policy stupidity practice patience leer vergessen gelöscht geändert falsch geheim nein keins
    unbekannt ungültig verschlüsselt abgelaufen erforderlich quelque chose mieux fois algún alguna
    alguien otra nadie någon något annan någonting alguma alguém outra ninguém the and for with from
    into about les des une der die das ein eine den und mit los las una por para con del que
""".split()  # noqa: SIM905
"""Chosen by hand, like the lists before it."""

_ABOUT: Final = frozenset(
    _ENGLISH + _GERMAN + _FRENCH + _SPANISH + _SWEDISH + _PORTUGUESE + _ITALIAN + _DUTCH + _COMMON
)
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
