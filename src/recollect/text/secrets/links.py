"""What stands between a secret and the word that names it, in six languages. Chosen by hand."""

import re
from typing import Final


def words(text: str) -> frozenset[str]:
    """The words of a text, which blanks part."""
    return frozenset(text.split())


SIGNS: Final = words(": = == := -> => --> → - \u2013 \u2014")
TO: Final = {
    "en": words("to into auf till as"),
    "de": words("auf in zu als"),
    "fr": words("à en par pour comme"),
    "es": words("a por como"),
    "sv": words("till som"),
    "pt": words("para por pra como"),
}
TO_ANY: Final = frozenset().union(*TO.values())
FROM: Final = words("from von vom de desde från do da")
"""Between a verb of change and a value, by the noun's language."""
NOW: Final = words("now jetzt neu maintenant ahora nu agora then")
WITH: Final = words("with using via by mit per avec par con usando med com : = -> → is ist est es är é takes")
"""Between a lock and its code."""
OF: Final = words(
    """
    for to of on at in from the my our für fürs von vom zu zum zur der des dem den das mein meine
    meinen meinem am im auf beim du de des pour d' sur la le les à au mon ma notre mes del el mi
    para al en nuestro till på för från hos i min mitt vår do da dos das no na meu minha nosso nossa
    pro pra
    """
)
"""What begins a description between a noun and its link: "the password *for* the router is"."""
FILLERS: Final = words(
    """
    now just still actually simply only currently always again word set to like probably going think
    believe i literally jetzt noch aktuell einfach immer nun nur wieder wohl wort bei also ab heute
    maintenant toujours encore juste simplement mot donc désormais dorénavant ahora todavía siempre
    solo sólo palabra simplemente sigue siendo nu fortfarande bara ordet alltid numera agora ainda
    só sempre apenas palavra
    """
)
"""Between a link and a value."""
CALLED: Final = words("word wort mot palabra ordet palavra")
"""Behind an article: "just the word cinnamon"."""
ANAPHORS: Final = words(
    """
    it its that this old new now before previously one first second so alt alte altes neu neue neues
    jetzt vorher früher es das dieses vielä davor avant ancien nouveau nouvelle maintenant et c' ce
    antes ahora vieja nueva viejo nuevo y la el det nu förut gamla nya gammalt nytt och agora antiga
    antigo nova novo e and und is was ist war est es era är var
    """
)
"""What stands for the noun in a later clause."""
CHANGE: Final = re.compile(
    r"\b(?:chang|reset|set\b|switch|updat|made\b|picked|chose|änder|geänder|gesetzt|umgestellt|stell"
    r"|modifi|mis\b|remplac|cambi|puse\b|actualiz|byt(?:t|er|a)|ändra|satte|troqu|troc|mud(?:ei|ou|ar)"
    r"|alter|coloquei|redefini|rotat|used to|swap|modify|correct|make|put\b|turn)"
)
ENTER: Final = words(
    """
    eintippen drücken tippen slås knappas
    make want have set use used type typed enter entered punch press dial say tell try need put key
    is's just nutze nutz benutze tippe tipp gib eingeben drücke nimm verwende brauchst nimmst tape
    tapez compose composer composez entre entrer utilise saisis saisir teclea teclear marca marcar
    introduce usa uso usar pon pulsa mete slå tryck ange använd använder knappa skriv knappar digita
    digite digitar tecla use usa uso
    """
)
"""Before a value that is to be typed."""
PROMPTS: Final = re.compile(
    r"\b(?:ask|prompt|when|wants|frag|verlang|demande|pide|pregunt|fråga|begär|pede|pergunt)"
)
"""Between a value and the noun behind it: "hunter2 when it asks for the password"."""
AS: Final = words("as als comme como som is are was ist est es är é era = it's that's c'est är what")
"""Between a value and the noun behind it."""
OPENS: Final = re.compile(
    r"\b(?:open|unlock|disarm|deactivat|turn(?:s|ed)? (?:it )?off|gets? (?:you |me |us )?in(?:to)?\b"
    r"|lets? you in|log(?:s)? (?:you )?in|sign in|öffne|geht\b|aufmach|aufsperr|entsperr|entschärf"
    r"|deaktivier|ausschalt|abschalt|ouvr|déverrouill|désactiv|désarm|abr[eií]|desbloque|desactiv"
    r"|öppna|låsa? upp|låses upp|stäng|desativ|destrav|desarm|desliga|entra)"
)
"""What a code does to a lock."""
NEGATION: Final = words(
    "not never no don't dont isn't nicht nie kein keine pas jamais no nunca jamás inte aldrig não nem"
)
CLAUSE_STARTS: Final = words(
    """
    and but so or for if please pls plz btw thanks thx dont don't do just because since when until
    tell lol haha ok okay und aber oder für falls bitte danke weil damit et mais ou pour merci stp
    svp car y e o u pero para gracias porque och men tack så eller om obrigado obrigada mas se então
    por
    """
)
"""What begins the next clause, so that a plain word before it ends one."""
LINK_LANGUAGES: Final = {
    word: language
    for language, words in {
        "en": "is was are be been 's it's that's its becomes became equals remains stays reads goes to",
        "de": "ist war lautet lautete heißt heisst sei bleibt wäre auf",
        "fr": "est était c'est c'était sera devient à",
        "es": "es era será sería",
        "sv": "är var blev blir heter lyder till",
        "pt": "é foi ficou fica",
    }.items()
    for word in words.split()
}
"""The language of what links a noun to a value."""
IS: Final = SIGNS | LINK_LANGUAGES.keys() - {"to", "auf", "à", "till"}
"""Between a noun and its value."""
IT_IS: Final = words("it's c'est c'était")
DASHES: Final = words("- \u2013 \u2014")
ARTICLES: Final = words(
    """
    the a an my der die das ein eine mein le la les un une mon ma el los las una mi o os as um uma
    meu en ett min
    """
)
OWNERS: Final = words(
    """
    my our the his her their mein meine unser das die mon le notre mi la el nuestra mitt vårt minha
    a nossa
    """
)
COMPARES: Final = words("as als comme como som")
PLAIN_IS: Final = words("is was ist war est es är é")
WILL: Final = words("will should would used has is was wird soll sera va kommer ska vai")
PLACES: Final = words("here home hier zuhause daheim ici aquí aqui hemma i in at")
PREPOSITIONS: Final = words("with of in on mit von in avec dans con en med i com em")
TELLS: Final = words("is was be it's use try with ist war est c'est utilise es usa är é made it")
"""Before an odd value in a sentence that names a password."""
COUNTED: Final = words(
    """
    digits at by in on since until till around about for over under than no nr number numbers room
    floor page flight gate locker building house apartment version top bus line route highway class
    course line cost costs paid charged only ending um gegen ab seit bis zimmer nummer gleis linie
    haus kostet vers depuis jusqu jusqu'à chambre salle ligne numéro page à las los hasta desde
    habitación sala número línea sobre klockan kl rum nummer linje sedan às até quarto sala número
    linha $ € £ # x + am im endet auf ends of
    """
)
"""Before a number that counts something or says when or where."""
NAMED: Final = words(
    """
    for on of to user username login email mail name named called account id version windows android
    ios benutzer nutzer
    benutzername konto für auf von als identifiant utilisateur compte pour sur de usuario cuenta
    para en del användare användarnamn konto till för på usuário conta em do da no na ssid network
    """
)
"""Before an odd word that names a user, a device or a service."""
NAMED_BY_SIGN: Final = words(
    "user username login benutzer identifiant usuario usuário användare användarnamn"
)
THAT_IS: Final = words("that's this it's das dies c'est voilà es esa ese det este é essa")
THEN: Final = words(
    "i we then puis luego danach depois so just ich wir dann je nous alors yo ahora jag vi sedan eu but"
)
"""What begins a clause that goes on about the same thing."""
