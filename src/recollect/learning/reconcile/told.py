"""What a message says of a change: which of its parts state one, of whom, and what they name as over.

A part is what stands between two signs or links. What is only planned, wished, asked, denied or reported, and
what was so before something known, is left out. The words were chosen by hand.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from recollect.learning.extraction.foreign_kin import PEOPLE_ABROAD
from recollect.learning.extraction.people import FEMALE, MALE
from recollect.learning.listing import EXPERT_SAYS, any_of, listed
from recollect.learning.reconcile.cancelled import CALLED_OFF
from recollect.learning.reconcile.slots import turned_by
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

_GERMAN_MONTH: Final = (
    r" (?:januar|j\u00e4nner|februar|m\u00e4rz|april|mai|juni|juli|august|september|oktober|november"
    r"|dezember)\b"
)
_PARTED: Final = lazy_regex(
    r"[;:()\u2013\u2014]|,(?!\d)| - "
    r"|(?<!\bmr)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bmrs)(?<!\bprof)(?<!\bno)"
    rf"(?!(?<=\d)\.{_GERMAN_MONTH})[.!?]+(?=\s|$)"
    r"|\s(?:and(?!\sI\s)|but|so|because|und|aber|weil|denn|sondern|et|mais|donc|y|pero|porque|e|mas|och|men"
    r"|så)\s",
    re.IGNORECASE,
)
_UNREAL: Final = lazy_regex(
    r"\b"
    + any_of(
        r"""
        (?:i|we|he|she|it|they|that|this|you|which) may |
        by (?:mistake|accident)|accidentally|mistakenly|in error |
        might|could|would|should|shall|wouldn't|couldn't |
        (?:i|we|he|she|they|it|that)'d | going to(?!.*\b(?:after all|any ?more|any longer))|gonna
        | (?:will|'ll|won't) | want(?:s|ed)? (?:to|an?)|wanna|wish\w* | hop(?:e|es|ing) (?:to|for|that) |
        plan(?:s|ning|ned)? (?:to|on|for)
        | think(?:ing)? (?:of|about)|thought about|consider\w*|debating|tempted|toying | some ?day|one day|one
        of these days|maybe|perhaps
        | sounds|congrats|congratulations|(?:glad|happy|excited|great|good) to (?:hear|see|know)|good
        luck|looking forward|let me know
        | tonight|early today|an hour ago | almost|nearly|practically|about to|if only|unless|whether|if |
        dream\w*|imagin\w*|pretend\w* | lol|lmao|haha\w*|jk|just kidding|joking
        | (?:says|said|claims?|claimed|told (?:me|us)|heard|reckons?|apparently|rumou?rs?) | used to
        | (?:in|for|from) (?:the|my|our|this) (?:game|movie|film|book|novel|story|show|series|dream|sims)
        | in (?:the|my|our|this|a) (?:[\w&']+ ){1,2}(?:campaign|game|movie|film|novel|series)|my character
        | (?:just )?(?:this|for) (?:once|this (?:one )?(?:question|answer|time)|just this \w+ ?\w*)
        | back in (?:the|my|those|high|school|college|19|20)|in (?:19|20)\d\d
        | (?:years?|decades?|ages|long) ago | when i was | as a (?:kid|child|teen\w*|student) | growing up
        | for (?:a|one|two|three|a few|the) (?:nights?|days?|weekend|moment|bit|while) | temporarily|on
        holiday|on vacation
        | (?:i'm|i am|we're|we are)
        (?:quitting|leaving|moving|switching|changing|selling|dropping|cancelling|retiring|getting rid)
        | (?:handing|giving|putting) in (?:my|our|the) (?:notice|resignation) (?:tomorrow|tonight|next|soon|on
        |in|this|after|when|once)
        | vielleicht|würde\w*|möchte|könnte\w*|werde|plane|überlege|will|sagt|meint |
        peut-être|voudrais|aimerais|pourrais|va[is]? (?:peut|sans)|dit que
        | quizás|tal vez|quisiera|me gustaría|pienso|voy a|dice que | talvez|gostaria|queria|vou
        (?:trocar|mudar|deixar)|pensar em|pensando|diz que
        | kanske|skulle|vill|tänker|funderar|säger
        """
    )
    + r"(?!\w)"
    r"|(?<!in )(?<!of )(?<!by )(?<!since )(?<!this )(?<!next )(?<!last )(?<!\d )(?<!th )\bmay "
    r"(?:(?:well|even|not|have to|need to) )?(?:be|put|take|get|go|move|change|raise|lower|cut|stop|end|up"
    r"|switch|have|give|let|make)\b",
)
"""Says that it is not so, or not yet."""
_DENIED: Final = lazy_regex(
    r"\b(?:not|never|no one|nobody|(?:did|do|does|has|have|had|was|is|are|were|ca)n't|cannot|nicht|nie"
    r"|niemals|aldrig"
    r"|inte|nunca|jamais|pas|não)\b"
)
_DENIES_ENDING: Final = lazy_regex(
    r"\b(?:(?:not|\w*n't)\b.*\b(?:any ?(?:more|longer)|after all)|(?:not|\w+n't) renew|no longer"
    r"|nicht (?:mehr|länger)|inte (?:längre|mer)|ya no|já não|não .*mais|ne .* plus"
    r"|not together|not allergic|^(?:(?:i'm|im|we're|i am|we are) )?not doing|isn't happening"
    r"|not happening|won't happen|(?:didn't|wasn't|isn't|not) (?:work(?:ing)? out|for (?:me|us))"
    r"|not going back|(?:haven't|hasn't|not) (?:had|smoked|touched|drunk))\b"
)
"""A denial that itself says that something is over."""
_FILLERS: Final = (
    r"(?:and|so|but|oh|well|yeah|hey|then|now|ok|okay|also|btw|anyway|today|yesterday|finally|sadly"
    r"|last \w+|this \w+|good news|bad news|update)"
)
_KIN: Final = any_of(
    r"""
    mother|mom|mum|mama|mummy|father|dad|papa|daddy|parents?|sisters?|brothers?|siblings?|sons?|daughters?|c
    hild|children|kids?|baby|toddler
    |
    twins?|grandm\w+|grandp\w+|gran|nan|nana|aunt\w*|uncle|cousins?|niece|nephew|[\w-]+-in-
    law|friends?|bestie|buddy|mate|pal|neighbou?rs?
    |
    colleagues?|coworkers?|co-
    workers?|roommates?|flatmates?|housemates?|husband|wife|partner|girlfriend|boyfriend|fianc[eé]e?|other
    half|ex|boss|gaffer|fella|missus|hubby|wifey|lad|lass
    |
    manager|teacher|classmates?|family|copain|copine|novi[oa]|namorad[oa]|noiv[oa]|pojkvän|flickvän|freundin|in-laws|schwester|bruder|mutter|vater|eltern|freund(?:in)?|sohn|tochter|kollegin|kollege|oma|opa|mann|frau
    | sœur|soeur|frère|mère|père|amie?|fille|fils|mari|femme|collègue |
    hermana|hermano|madre|padre|amig[oa]|hij[oa]|marido|mujer|compañer[oa]
    | irmã|irmão|mãe|pai|filh[oa]|esposa|colega | syster|bror|mamma|pappa|vän|kompis|dotter|man|fru|kollega
    """
    f" | {'|'.join(sorted(PEOPLE_ABROAD, key=len, reverse=True))}"
)
_OF_OTHERS: Final = lazy_regex(
    rf"^(?:{_FILLERS} )*(?:(?:my|his|her|their|our|your|meine?|ma|mon|mes|mi|mis|minha|meu|min|mitt|sa|son"
    rf"|seine?|ihre?|hans|hennes|dele|dela|mijn|zijn|haar"
    rf"|(?!(?:it|that|he|she|there|what|let|who|here)'s)[\w-]+'s)"
    rf"(?: [\w'-]+){{0,2}}? (?P<kin>{_KIN})\b|(?P<alone>mum|mom|dad|grandma|grandpa|mama|papa|oma|opa)\b"
    r"|(?P<any>an? \w+ (?:\w+ )?(?:i know|i met|of mine|i work with|from|in|at my)|someone|somebody"
    r"|everyone|everybody|people"
    r"|a (?:friend|colleague|mate|guy|girl|neighbou?r))\b)"
)
_AT_OTHERS: Final = lazy_regex(r"\b(?:at|of|in|for) (?:[A-Z][\w-]+['\u2019]s|his|her|their) [a-z]")
"""Says that it is so at somebody else's place: "the new boss at Ann's school"."""
_DOES: Final = lazy_regex(
    r"(?<!\w)(?:hat|ist|wurde|wird|war|hatte|isst|trinkt|wohnt|lebt|arbeitet|raucht|zieht|geht|kommt|f\u00e4hrt|nimmt"
    r"|macht|mag|spielt|studiert|verkauft|k\u00fcndigt|bekommt|kriegt|hei\u00dft|leitet|f\u00e4ngt|darf|soll|muss|will)\b"
)
"""A German verb of somebody else, wherever in a part: "jetzt wohnt auch Svenja in Leipzig"."""
_IS_OFF: Final = lazy_regex(
    r"(?:abgesagt|verschoben|verlegt|vorverlegt|storniert|ausgefallen|vorbei|vor\u00fcber|erledigt)\b"
)
_SPEAKS: Final = lazy_regex(r"(?<!\w)(?:ich|wir|mich|mir|uns|mein\w*|unser\w*)\b")
_SPEAKS_ENGLISH: Final = lazy_regex(r"(?<!\w)(?:i|i'm|i've|we|my|our|me)\b")
_GERMAN: Final = lazy_regex(
    r"(?<!\w)(?:der|das|dem|ein\w*|kein\w*|nicht|auch|jetzt|nun|heute|gestern|schon|wieder|mehr|seit|aus"
    r"|bei|beim|nach|zum|zur|und|oder|ge\w+(?:t|en)|umgezogen|entlassen|verkauft|abgesagt|\w*[\u00e4\u00f6\u00fc\u00df]\w*"
    r"|fleisch|fisch|schwanger|vegan|isst|trinkt|wohnt|lebt|arbeitet|raucht|hei\u00dft)\b"
)
"""A word that only German has: "hat", "war" and "will" are English, too."""
_THIRD: Final = lazy_regex(
    rf"^(?:{_FILLERS} )*(?:s?he(?! \w+[aei]do\b)|hers?|his|er|sie|il|elle|él|ella|ele|ela|han|hon)(?:'s|'d"
    rf"|'ll)?\b"
)
_YOU: Final = lazy_regex(rf"^(?:{_FILLERS} )*(?:you|your|you're|you've|enjoy|keep|take care|du|tu|tú|você)\b")
_AND_I: Final = lazy_regex(r"^\w+ and i ")
_ABOUT_ME: Final = lazy_regex(
    r"(?<=\s)(?:me|us|my|our|mich|mir|uns|mein\w*|unser\w*|nous|notre|mon|ma|nos|mig|oss|min|mitt|vår\w*"
    r"|mim|nosso|nossa)\b"
)
_EATS_LESS: Final = lazy_regex(
    r"\b(?:stopped|quit|gave up|given up|cut out|cutting out) (?:eating |having )?(?!being\b)\w+"
    r"|(?<!not )(?<!longer )(?<!being )(?:fully |completely |strictly |all )*\b(?:veggie|vegetarian|vegan"
    r"|pescatarian|plant[- ]based)\b(?! any ?more)"
)
_OF_A_PERSON: Final = lazy_regex(
    r"\w+ (?:(?:does|did|has|is|was|can)(?:n't| not)|cannot|never) (?!\w+n't\b)\w+"
    r"|\w+(?:'s| is| has| just| finally| also)* (?:retired|retiring|pregnant|engaged|married|divorced"
    r"|graduated"
    r"|resigned|promoted|moved (?:in|out|to)|turned \d+|got (?:the|an?|his|her) (?:new )?(?:job|place"
    r"|promotion|degree)"
    r"|starts?|started|studies|lives|works|goes to)\b"
)
"""What a name that is not known as a person's does or does not, so that it is one's: "Ged's retired"."""
_OWN_START: Final = lazy_regex(
    rf"^(?:{_FILLERS} )*(?:i|we|my|our|i'm|i've|we've|we're|it|it's|the|they|there|that|this|ich|wir|je|j'"
    rf"|nous|yo|jag|vi|eu)\b"
)
_BOUGHT: Final = lazy_regex(r"\b(?:bought|buys?|buying)\b")
_HOME: Final = lazy_regex(r"\b(?:house|home|flat|place|apartment|condo|studio|villa|cottage)\b")
_TO_LIVE_IN: Final = lazy_regex(
    r"\b(?:mov(?:e|ed|ing)|sold|gave up|given up|left|to live in"
    r"|(?:our|my) first (?:home|house|flat|place))\b"
)
_NOT_TO_LIVE_IN: Final = lazy_regex(
    r"\b(?:holiday|vacation|investment|second|rent out|to let|weekend)\b"
    r"|^(?:my|our|his|her|their|the) (?:[\w'-]+ ){1,3}?(?:bought|buys?)\b"
)
"""Says that a home was bought by another, or for something else: "a holiday house"."""
_SHOP: Final = lazy_regex(
    r"\bmov(?:e|ed|ing) (?:the|our|my) (?:shop|office|business|store|salon|studio|workshop|warehouse|practice"
    r"|company|bakery|caf[e\u00e9]|restaurant|clinic|gallery)\b"
)
_BEFORE: Final = lazy_regex(
    r"\b(?:(?:long |just |right |years |shortly )?(?:before|vor dem|avant|antes de|innan|until|till))\b.*"
)
"""What stands behind tells when something else was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a message that states something.

    Attributes:
        raw: As it was written.
        low: The same in small letters, with straight apostrophes, without what stands behind "before".
        of: The kin or the name that it is about; "they" for somebody spoken of before; "you" for whom the
            speaker talks to; empty for the speaker.
        slots: The slots of which it tells a change.
        maybe: Those of which it may.
    """

    raw: str
    low: str
    of: str
    slots: frozenset[str]
    maybe: frozenset[str]


class Piece(NamedTuple):
    """What stands between two signs or links: as written, in small letters, and whom it is about."""

    raw: str
    low: str
    of: str


_EXPERT: Final = lazy_regex(
    rf"^(?:{_FILLERS} )*{EXPERT_SAYS} (?=(?:i|we|my|our|it|s?he|they|the|his|her|their)\b)"
)
"""Leads in a finding, which counts like the speaker's own words."""
_LONGEST: Final = 400
"""Characters of the longest piece that is read: some patterns look from every word to the end. By hand."""


@lru_cache(maxsize=1024)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces of a message, whatever they say; see ``Part``."""
    found: list[Piece] = []
    before = ""
    for raw in _PARTED.split(text):
        low = " ".join(raw.replace("\u2019", "'").lower().split())
        low = _EXPERT.sub("", _BEFORE.sub("", low))
        before = _whose(raw.strip(), low, before) if low else ""
        found.append(Piece(raw.strip(), low, before))
    return tuple(found)


def is_unreal(low: str) -> bool:
    """Whether words in small letters say that something is not so, or not yet."""
    return _UNREAL.search(low) is not None


RESUMED: Final = lazy_regex(
    r"(?:^(?:(?:so|and|well|ok|okay|update|btw|but) )*|\b(?:i|i'm|i've|we|we're) )"
    r"(?:(?:am|are|just|now|started|have|been) )*(?:back (?:on|to|eating|drinking|smoking|doing|using)\b"
    r"|(?:eat|drink|smok|tak|us|hav)(?:e|ing)?\b.{0,80}"
    r"\b(?:again|now|these days|(?:a|every) (?:day|week|morning))\b)"
)
"""Tells that somebody does again what they did no more: "back on coffee", "I drink it again"."""


WELL: Final = lazy_regex(
    r"\b(?P<noun>[^\W\d_]{3,}?)s?(?:'s|'re| is| are| feels?| seems?)?"
    r" (?:all |much |totally |completely |fully |a lot |now )*"
    r"(?:fine|ok|okay|better|healed|sorted|fixed|mended|repaired|working|back to normal|good as new)"
    r"(?: (?:now|again|thank\w*|at last|finally|btw|these days))*(?=$|[ ,.;!])"
    r"(?! (?:with|for|if|than|at|about)\b)"
)
"""Tells that something is as it should be: "knees fine now"."""


@lru_cache(maxsize=1024)
def parts_of(text: str) -> tuple[Part, ...]:
    """The parts of a message that may end something; see the text of the module."""
    found: list[Part] = []
    for raw, low, of in pieces_of(text):
        if len(low) > _LONGEST:
            continue
        near = [one for one in turned_by(low) if one.name != "home" or not _is_another_place(low, text)]
        slots = frozenset(slot.name for slot in near if slot.turns.search(low))
        maybe = frozenset(slot.name for slot in near if slot.maybe.search(low))
        told = bool(slots or maybe) or any(one.search(low) for one in (_ANY, CALLED_OFF, RESUMED, WELL))
        if told and _is_stated(low) and not _AT_OTHERS.search(raw):
            found.append(Part(raw=raw, low=low, of=of, slots=slots, maybe=maybe - slots))
    return tuple(found)


def _is_another_place(low: str, text: str) -> bool:
    """Whether a part tells of a place that is no home: one that was only bought, or a shop that moves."""
    return is_only_bought(low, text) or _SHOP.search(text.lower()) is not None


def is_only_bought(low: str, text: str) -> bool:
    """Whether a part tells that a home was bought, and the message not that the speaker moves there."""
    if not _BOUGHT.search(low) or not _HOME.search(low):
        return False
    return _NOT_TO_LIVE_IN.search(low) is not None or _TO_LIVE_IN.search(text.lower()) is None


def whose_of(text: str) -> str:
    """Whom a statement is about, by its first words; empty for the speaker."""
    return _whose(text.strip(), " ".join(text.replace("\u2019", "'").lower().split()), "")


def eats_less(low: str) -> bool:
    """Whether a part tells of eating less, which takes no denial back: "fully veggie"."""
    return _EATS_LESS.search(low) is not None


def denies_going_on(low: str) -> bool:
    """Whether a part denies that something still is so: "not allergic after all"."""
    return _DENIES_ENDING.search(low) is not None


def _is_stated(low: str) -> bool:
    """Whether a part says that it is so, and denies nothing but that something goes on."""
    return not _UNREAL.search(low) and (not _DENIED.search(low) or denies_going_on(low))


def _whose(raw: str, low: str, before: str) -> str:
    """Whom a part is about, by its first words; without any, whom the one before was about."""
    other = _OF_OTHERS.match(low)
    if other is not None:
        who = other["kin"] or other["alone"] or "they"
        return "" if _ABOUT_ME.search(low, other.end()) else who
    if _YOU.match(low):
        return "you"
    if (third := _THIRD.match(low)) is not None:
        others = MALE if re.search(r"\bshe\b|\bher", third.group()) else FEMALE
        return before if before not in {"", "you", *others} else "they"
    if _AND_I.match(low):
        return ""
    first = raw.split(maxsplit=1)[0].removesuffix("'s").removesuffix("\u2019s") if raw.split() else ""
    if _is_done_by_others(low):
        return _who_does(raw)
    kind = kind_of(first) if first[:1].isupper() else Kind.FUNCTION
    named = kind == Kind.KNOWN or (kind == Kind.UNKNOWN and _OF_A_PERSON.match(low) is not None)
    if named and not _ABOUT_ME.search(low):
        return first.lower()
    return "" if _OWN_START.match(low) or _SPEAKS.search(low) else before


_CAPITAL: Final = lazy_regex(r"\b[^\W\d_a-z\u00df-\u00ff][\w-]+")


def _is_done_by_others(low: str) -> bool:
    """Whether a German part tells what somebody else does, or some thing; what is off is nobody's doing."""
    does = _DOES.search(low) is not None and _GERMAN.search(low) is not None
    own = _SPEAKS.search(low) or _SPEAKS_ENGLISH.search(low)
    return does and own is None and _IS_OFF.search(low) is None


def _who_does(raw: str) -> str:
    """Who does something in a German part that is not about its speaker: a name, else "they"."""
    names = [word for word in _CAPITAL.findall(raw) if kind_of(word) >= Kind.BOTH]
    return names[0].lower() if names else "they"


_TIES: Final = (
    "(?:job|position|role|post|membership|accounts?|contract|subscription|studies|course|place|spot|seat"
    "|room|flat|lease"
    "|degree|plan|policy|work|working|living|studying|career|shift|team|notice|resignation|day|shift|class"
    "|lesson"
    "|session) (?:at|with|in|for|of|from)"
)
"""What ties somebody to what is named behind it: "my account with Barclays"."""
_DETERMINER: Final = (
    r"(?:the|my|our|his|her|an?|all|that|this|old|going to|le|la|les|mon|ma|du|de|el|los|mi|os?|meu|minha"
    r"|den|det|min|mitt"
    r"|mein|meinen?|der|die|das|dem|dr\.?|mrs?\.?|ms\.?|st\.?)"
)
_WORD: Final = (
    r"(?:(?!(?:at|by|in|on|to|off|for|with|from|of|and|about|another|up|me|us|you|after|before|than"
    r"|over)\b)[\w'-]+ )"
)
"""A word that may stand between, and leads to nothing else."""
_BEHIND: Final = any_of(
    r"""
    quit | (?:gave|given|giving) up(?: on)? | packed in|cut out | packed(?= (?:[\w']+ ){1,3}in\b)
    | (?:cleared|paid off)(?= (?:my|our|the) (?:[\w']+ )?(?:overdraft|loan|debts?|mortgage|card|arrears)\b)
    | (?:no longer|\w*n't) need|did(?:n't| not) renew |
    dropped|ditched|dumped|cancell?ed|closed|sold|scrapped|shelved|abandoned
    | (?:i )?(?:hardly|barely|rarely) (?:ever )?(?=\w+(?: \w+)? (?:these days|now|any ?more)) | fired |
    (?:kicked|dropped|broke|beat) (?:the|my)
    | (?:stopped|pulled|cut|taken away|took away) (?:my|our|the) | got out of | (?:got|gotten|getting) rid of
    | traded(?: in)? | (?:threw|thrown|chucked) (?:away|out) |
    binned|deleted|uninstalled
    | unsubscribed from | stopped(?: with)? | (?:i'm |i am |we're |all |been |am |are )?(?:so )?done with |
    over
    and done with
    | (?:'m|'re|am|been|went|gone|came|come|got|taken|took|weaned)(?: myself| me)?(?: completely| fully|
    finally)? off | let(?= (?:[\w']+ ){1,4}(?:lapse|expire|run out)\b)
    | (?:goodbye|farewell|so long)(?: to)? | bye(?: bye)? to | after (?:\w+ ){1,3}(?:years|months|decades)
    (?:in|at|with|on|of) | returned(?= (?:the|my|our)) | moved (?:everything|all [\w' ]{2,20}|my [\w' ]{2,20})
    from | no more | instead of|rather than|in place of | (?:took|taken|taking) over (?:from|for)
    | divorc(?:e|ed)(?: from)? | separated from | (?:split|parted ways|broke up|broken up|split up)
    (?:from|with)
    | resigned from|retired from|laid off (?:from|by)|fired (?:from|by)|let go (?:from|by)|sacked
    (?:from|by)|expelled from|kicked out of
    | moved (?:out of|away from|on from|out from) | dropped out of | (?:took|pulled|taken|take) [\w']{1,15}
    (?:out of|off)
    | swapped(?: out)?|replaced|exchanged |
    (?:switched|switching|changed|moved|migrated|went|transferred|ported|gone|converted|away)
    (?:[\w']+ ){0,3}?from | switched | over from | (?:put|putting) (?:down|to sleep) | buried |
    outgr(?:ew|own)|grown out of | ended
    | last (?:day|shift|class|lesson|session) (?:at|with|of) | (?:notice|resignation) (?:at|to|with) |
    (?:gave|given) (?:away|back)|handed back
    | rehomed | no longer(?: an?| in| at| on| with| using| taking| playing| eating| drinking| working
    (?:at|for|with)| live in| work (?:at|for))?
    | (?:gone|went) off | sick of|fed up with | renam(?:ed|e) | (?:our|my|the) (?:old|previous|former) | froze
    | not(?: \w+){0,4}? | \w+n't(?: \w+){0,3}?
    | statt|anstatt|anstelle von|kein(?:e|en)? | quitté|arrêté(?: de| le|
    la)?|abandonné|vendu|résilié|largué|remplacé|au lieu de|plus de
    | dejé|dejado|cambié|vendí|cancelé|cerré|rompió|rompí con|terminé con|en vez de|en lugar de|ya
    no|despidieron de|echaron de|renuncié a
    | larguei|deixei|parei com|vendi|cancelei|troquei|terminei com|em vez de|já não|demitid[oa]
    d[aoe]|despedid[oa] d[aoe]|fechei
    | sluta(?:t|de)(?: med| på| i| ta| spela| äta)?|sålde|sålt|sagt upp|sade upp|bytt|bytte|istället för|i
    stället för|inte längre
    | gjort slut med|avslutade
    """.replace("away)\n    (?:[", "away) (?:[")
)
"""Words before what is over."""
GONE: Final = (
    r"gone(?! (?:veg\w+|pescatarian|gluten|dairy|plant|part|full|free|self|quiet|mad|crazy|silly|soft|wild"
    r"|gr[ea]y|blonde?|bald|blind|deaf|viral|private|public|digital|paperless|organic|cold|bad|wrong|missing"
    r"|swimming|shopping|out|into|through|up|down|well|fine|great|ok|okay|badly)\b)"
)
"""Tells that somebody or something is no more, and not what became of them: "zosia's gone veggie"."""
_NOW_OVER: Final = any_of(
    rf"""
    over(?! (?:here|there|for|at|the|to)\b) |
    off(?! (?:to|the|work|sick|on|for|his|her|duty|school|today|tomorrow|at|until|till)\b)
    | {GONE}|history|finished|dead|cancell?ed|called
    off|dropped|scrapped|shelved|sold
    | closed (?:down|for good|permanently)|shut down | behind (?:me|us) | in the past|a thing of the
    past|ancient history|discontinued
    | stolen|totall?ed|wrecked|written off|out of (?:the picture|my life|business)|no
    more|bust|bankrupt|retired|being replaced|replaced|renamed
    | (?:now )?(?:called|named) .*(?:now|instead) | (?:on|going on)
    (?:maternity|paternity|parental|sick|long-term) leave | done
    """
)
_FOLLOWING: Final = any_of(
    rf"""
    (?:'s|is|are|was|were|has|have|has been|have been|got|has all|are all|'s all)(?: now| all| officially|
    finally| completely| been| just)* (?:{_NOW_OVER})
    | (?:has |have |'s |had )?(?:just |finally |sadly )?(?:moved (?:out|away|abroad|on to)|resigned|stepped
    down|emigrated|retired|crossed the rainbow.*|went to live|gone to live
    |got (?:fired|promoted|replaced|transferred|poached)|closed (?:down|(?:his|her|its|their) \w+)|folded|shut
    down|went (?:under|bust)|broke up with me|dumped me|ended|expired|lapsed|fell through|quit
    |left(?= (?:us|me|the (?:company|team|firm|department|school|band)|for good|last \w+|in \w+)\b|$))
    | (?:has |have |'s )?(?:been )?(?:replaced|succeeded) by | got the (?:axe|boot|chop|sack|push) | locked
    me out | no longer works?
    | and i (?:have )?parted ways | called off (?:the|our) (?:wedding|engagement) | left the (?:practice
    |clinic|surgery|hospital|office)
    | (?:has |'s |have )?moved to \w+(?: (?:since|last|in|this) \w+)?$ | let (?:\w+ ){{1,4}}go | (?:fired
    |sacked|dismissed) (?:me|us|half|everyone) | laid (?:\w+ ){{1,3}}off |
    made (?:me|us|half)\b.* redundant
    | (?:didn't|did not|wasn't|isn't) (?:work out|working out|for (?:me|us)) | found (?:his|her|their|a)
    (?:own
    )?(?:new )?place | flew (?:off|away)|ran (?:off|away) | (?:and|&) i (?:are through|split|broke
    up|separated|called it|are done|have split)
    | (?:is|are|'s|isn't|doesn't|don't|aren't)\b.* any ?more | no longer .* | (?:turned into|became)
    | (?:ist|sind|wurde)
    (?:vorbei|weg|gestorben|geschichte|abgesagt|verkauft|abgeschafft|ausgezogen|weggezogen|in rente) | (?:\w+
    )?(?:aufgehört|gekündigt|verkauft|aufgegeben|abgesetzt|verlassen|abgeschafft)
    | est (?:partie?|finie?|morte?|décédée?|terminée?|annulée?)|a (?:déménagé|quitté|fermé|pris sa
    retraite|démissionné)
    | se fue|murió|ha muerto|cerró|se mudó|se acabó|se jubiló|se rompió|está cancelad[oa] |
    morreu|saiu|fechou|mudou-se|se mudou|acabou|reformou-se|foi cancelad[oa]
    | (?:har |är |blev )?(?:flyttat ut|flyttade ut|slutat|slutade|inställd|inställt|stängt|såld|sålt|borta
    |gått
    i pension)
    """.replace("gone to live\n    |", "gone to live|").replace("quit\n    |", "quit|")
)
"""Words behind what is over."""
DEATHS: Final = (
    r"(?:has |had |'s |just |sadly )*(?:died(?! laughing| of (?:laughter|boredom|shame)| inside)"
    r"|passed(?: away|(?! (?:an?|the|his|her|their|its|my|me|us|our|all|both|every|by|out|up|over|through"
    r"|(?:\w+ ){0,2}(?:tests?|exams?|interviews?|finals?))\b))|dog|dött|gestorben|est morte?|murió|morreu)"
)
"""The same of somebody who has a name."""
_DONE: Final = (
    "(?:finished|wrapped up|completed|submitted|shipped|handed in|defended|released|launched|published"
    "|got through)(?! an?\\b)"
)
"""The same before a project."""


_MOMENT: Final = lazy_regex(
    r"\b(?:today|this (?:morning|afternoon|evening)|for now|right now|at the moment|on (?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day)\b"
)
_WEAK: Final = lazy_regex(
    r"\b(?:dropped|closed|stopped|cancell?ed|off|dead|no more|over|done|gone|switched|changed|went)\b"
)
"""What may be over for a day alone."""
_GO_ON: Final = listed(
    """
    in at on for to from with by of and or but as when while after before because cos cuz since last this next
    yesterday today
    now again altogether completely entirely fully finally forever one thing stuff habit membership account
    subscription
    contract app course class classes lessons clinic practice i we it they me us is was has had got any
    anymore too just btw lol tho though fyi already ages thanks thankfully
    recently months years weeks a an the my our went quit left moved retired died passed stepped resigned
    closed
    jetzt seit nach für am im und maintenant depuis pour et en hoy ayer por para y nu sedan för och agora
    hoje e pour
    le la il el hace desde
    """
)
"""Words that may follow a value; another noun makes something else of it."""


@lru_cache(maxsize=8192)
def _around(key: str, *, named: bool, project: bool) -> re.Pattern[str]:
    word = rf"{re.escape(key)}\w{{0,4}}(?:'s|s')?"
    loose = rf"(?:{_DETERMINER} |{_WORD}){{0,{4 if named else 3}}}"
    between = rf"{loose}(?:{_TIES} (?:{_DETERMINER} )?)?(?:{_WORD})?"
    before = f"(?:{_BEHIND}|{_DONE})" if project else _BEHIND
    behind = f"{_FOLLOWING}|{DEATHS}" if named else _FOLLOWING
    start = (
        r"(?:(?!an?\b|some\b|when\b)[\w'.]+ ){0,2}"
        if named
        else rf"(?:(?:the|my|our|all|le|la|el|o|der|die|das|mein\w*|den|det) ){{0,2}}(?:(?!an? ){_WORD})?"
    )
    return re.compile(
        rf"\b{before} {between}(?:l'|d')?(?P<value>{word})\b|^(?:{_FILLERS} )*{start}{word}(?: clinic"
        rf"| app)?(?: |(?='))(?:{behind})(?!\w)"
    )


def is_over(
    part: Part | Piece,
    key: str,
    *,
    named: bool = False,
    project: bool = False,
    own: frozenset[str] = frozenset(),
    given_up: bool = False,
) -> bool:
    """Whether a part says that what it names is over.

    Args:
        part: The part.
        key: A word of a known value, or the stem of one.
        named: Whether it is a name, so that it may be somebody who died.
        project: Whether it is something to finish.
        own: The other words of the value.
        given_up: Whether words in front of it must say so, rather than what it did itself.

    >>> said = ("I quit Acme", "Acme is history", "I like Acme")
    >>> [any(is_over(part, "acme", named=True) for part in parts_of(text)) for text in said]
    [True, True, False]
    """
    if key not in part.low:
        return False
    found = _around(key, named=named, project=project).search(part.low)
    if found is None or (_MOMENT.search(part.low) and _WEAK.search(found.group())):
        return False
    if found["value"] is None:
        return not given_up
    return _ends_there(part.low[found.end() :], own)


def _ends_there(rest: str, own: frozenset[str]) -> bool:
    """Whether a name or noun ends before the rest, and is not the first of two: "the Jira ticket"."""
    following = re.match(r" ([\w'-]+)", rest)
    return following is None or following[1] in _GO_ON or following[1] in own or not following[1].isalpha()


_ANY: Final = lazy_regex(rf"(?:(?<!\w)|(?='))(?:{_BEHIND}|{_FOLLOWING}|{DEATHS}|{_DONE}|lost|left)(?!\w)")
