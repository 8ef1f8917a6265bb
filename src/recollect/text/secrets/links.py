"""Words between a secret and what names it, in eight languages. All are chosen by hand."""

from typing import Final

from recollect.types.regex import lazy_regex


def words(text: str) -> frozenset[str]:
    """The words of a text, which blanks part."""
    return frozenset(text.split())


SIGNS: Final = words(": = == := -> => --> \u2192 - \u2013 \u2014")
LANGUAGE_OF: Final = {
    word: language
    for language, verbs in {
        "en": "is was are were be been being 's it's its it'll that's becomes became equals remains stays",
        "de": "ist war lautet lautete heißt heisst sei bleibt wäre sind",
        "fr": "est était c'est c'était sera devient",
        "es": "es era será sería",
        "sv": "är var blev blir heter lyder",
        "pt": "é foi ficou fica",
        "it": "è era sarà resta",
        "nl": "luidt blijft wordt werd",
    }.items()
    for word in verbs.split()
}
"""What says that a name has a value, and its language."""
IS: Final = SIGNS | LANGUAGE_OF.keys()
ENTER: Final = words(
    """
    type typed enter entered punch press dial use used uses using try nehm put keyed with via takes say says
    hat
    hast heeft tiene tem ha har
    got have set has picked chose made pick choose need
    schreib einstellen tippen tippe tipp gib eingeben drücke drücken wählen toetsen nimm nimmst nehme
    verwende benutze
    nutze
    brauchst mit wähle die merk
    écris fais tape tapes tapez tapant tapotant pris compose composer composez entre entrer entres utilise
    saisis
    saisir avec par mets mis
    escribe teclea teclear marca marcar introduce usa uso usar pon poner pulsa mete con puse
    skriver slå slår tryck ange använd använder knappa skriv med har
    apertar aperta digita digite digitar tecla usei coloca com
    digiti scrivi premi inserisci metti messo uso usa con
    toets typ typ tik gebruik gebruik met voer op
    """
)
"""Before a value that is to be typed."""
TO_BY_LANGUAGE: Final = {
    "en": words("to into as"),
    "de": words("auf in zu als"),
    "fr": words("à en par pour comme"),
    "es": words("a por como"),
    "sv": words("till som på"),
    "pt": words("para por pra como"),
    "it": words("in a con come"),
    "nl": words("naar in op als"),
}
"""Between a verb of change and a value, by the name's language."""
TO: Final = frozenset().union(*TO_BY_LANGUAGE.values())
CHANGE: Final = lazy_regex(
    r"\b(?:chang(?:e|es|ed|ing|é|ée|er|eai)\b|reset|set\b|switch|updat|made\b|picked|rotat|swap|make\b"
    r"|went\b|turned|änder|geänder|gesetzt"
    r"|umgestellt|gestellt|modifi|mis\b|remplac|cambi|puse\b|actualiz|passé à|byt(?:t|er|a)|ställ|ändra|satte"
    r"|troqu|troc"
    r"|mud(?:ei|ou|ar)|alter|coloquei|redefini|reimposta|modifica|messo|verander|gewijzigd|wijzig|gezet"
    r"|staat)"
)
FROM: Final = words("from von vom de desde från do da dal van")
CONNECTS: Final = words(
    """
    and & , or not und oder nicht et ou pas y o no och inte e ou não ed non en of niet / then dann now
    jetzt maintenant ahora nu agora adesso
    """
)
"""Between one value and the next."""
CALLED: Final = words("word wort mot palabra ordet palavra parola woord")
"""Behind an article: "just the word cinnamon"."""
ARTICLES: Final = words(
    """
    the a an my der die das den ein eine mein le la les un une mon ma el los las una mi o os as um uma meu
    minha
    en ett min mitt il lo gli uno mio mia het een mijn mn de
    """
)
FILLERS: Final = ARTICLES | words(
    """
    now just still actually currently tegenwoordig derzeit actuellement actualmente attualmente ich man
    simply so ah oh i think glaube crois creo acho tror penso denk everywhere überall partout överallt only
    currently always again
    the a an my our this old new word words code pin
    set to like probably literally number star it dann the password followed by one called
    jetzt noch aktuell einfach immer nun nur wieder wohl wort also ab heute das die der den dem ein eine
    einen mein
    maintenant toujours encore juste simplement mot donc le la les l' un une mon ma désormais
    ahora todavía siempre solo sólo palabra simplemente sigue siendo el los las una mi
    nu fortfarande bara ordet alltid numera en ett min mitt den det
    agora ainda só sempre apenas palavra o os as um uma meu minha
    adesso ora ancora sempre solo parola il lo gli i un una mio mia
    nog steeds gewoon altijd het een mijn mn woord
    """
)
"""Between a link and a value."""
ABOUT: Final = words(
    """
    for to of on at in from with into the my our his her their your this that new old shared main guest work
    für fürs von vom zu zum zur der des dem den das die mein meine meinen meinem unser unsere am im auf beim
    bei
    pour des de du d' sur la le les à au aux mon ma notre mes dans chez
    del el los mi mis al en nuestro nuestra las para
    till på för från hos i min mitt vår mina
    do da dos das no na meu minha nosso nossa pro pra
    di del della dello dei delle degli dell' per il lo la al alla nel nella sul mio mia nostro sulla
    van het mijn mn onze voor naar op bij op
    """
)
"""What begins a description between a name and its value: "pin *for* my card"."""
OWNERS: Final = words(
    """
    my our the his her their your that its mein meine meinen unser das die der den mon ma le la notre mi el la
    nuestra mitt vårt min det den minha a o meu nossa il lo la mio mia het de mijn mn m'n onze code one
    """
)
ANAPHORS: Final = words(
    """
    it it's its it'll that that's this old new now before one so ah oh
    alt alte altes neu neue neues jetzt vorher früher es das dieses er sie
    ancien nouveau nouvelle maintenant c'est c'était ahora vieja nueva viejo nuevo es
    det nu förut gamla nya antiga antigo agora nova novo adesso ora vecchia nuova nuovo het nu nieuwe oude
    """
)
"""What begins a sentence that goes on about the one before it: "It's hunter2"."""
THAT_IS: Final = words(
    "that's thats this it's its that das dies c'est voilà ça es esa ese det este é essa è questa dat"
)
COMPARES: Final = words("as als comme como som come for för für pour para per voor")
NEGATION: Final = words(
    """
    not never no don't dont isn't nicht nie kein keine pas jamais nunca jamás inte aldrig não nem non
    mai niet nooit
    """
)
CLAUSE_STARTS: Final = words(
    """
    and but so or for if please pls plz btw thanks thx dont don't do just because since when until tell lol
    haha ok
    okay write remember keep then with i you we they he she it ich du er sie wir man ik jij je hij il elle
    tu
    yo él jag han hon eu ele io lui und aber oder für falls bitte danke weil damit dann et mais ou pour
    merci stp
    svp car puis y e o u pero para gracias porque och men tack så eller om obrigado obrigada mas se então
    por por
    ma grazie poi perché non en maar dank dus niet
    """
)
"""What begins the next clause, so that a value before it ends one."""
