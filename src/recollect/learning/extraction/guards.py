"""What is no statement of the speaker, and words that tell when something holds.

Conditions, wishes, role-play, what others say and talk of the moment are not learned. The phrases were
chosen by hand.
"""

from typing import Final

from recollect.learning.listing import DAY, MONTH, any_of, finding, listed
from recollect.types.regex import lazy_regex

CONDITIONAL: Final = listed("if unless whether")
"""Links whose clause says nothing for sure."""
SUBORDINATE: Final = CONDITIONAL | listed(
    "when whenever until till before after where wherever who whose which whom once except asks"
)
"""Links whose clause is not read: it tells of a time, a place or of somebody else."""

NEARLY: Final = listed("almost practically")
"""Adverbs right before what is not so, or did not happen."""

ALIKE: Final = NEARLY | listed("basically essentially virtually")
"""The same before "a": "I'm basically a taxi driver"."""

POLITE_IF: Final = lazy_regex(
    any_of(
        r"""
        (?:i|we) (?:am|are) (?:being )?(?:\S+ly )?honest(?: with you)? | you ask me | you care
        | anyone cares | anything
        | (?:that|it) (?:helps|matters|is relevant|is of any (?:help|use))(?: at all)? | possible | relevant
        | you (?:must|want to) know | i (?:may|can|remember|recall)(?: correctly| right)? | i have to choose
        """
    )
)
"""Conditions that are none."""

IN_CASE: Final = lazy_regex(
    "(?:and |or |but |just |only )?"
    + any_of(
        """
        in case | in the event | provided | providing | as long as | on condition
        | assuming | even if | if only | unless | whether | were (?:i|we|my) | had (?:i|we|my)
        | should (?:i|we|my) | on the off chance
        | in theory | on paper | ideally | when (?:i|we) (?:grow|become|retire|win|get rich)
        """
    )
    + r"\b"
)
"""Begins a condition that is no clause with "if"."""
TODAY: Final = finding("today | tonight | tomorrow | now | later | soon")
"""Too near for a plan of a life."""
FICTION: Final = lazy_regex(
    "(?:(?:please|now|ok|okay|so|well|and|hey|hi) )*"
    + any_of(
        r"""
        for (?:argument's sake|the sake of (?:argument|example|discussion))
        | pretend | imagine | suppose | supposing | assume | assuming | picture | what if
        | role ?-?play(?:ing)? | let us (?:say|pretend|imagine|suppose|assume|play) | say i\b
        | act (?:as|like) | play the (?:role|part) | hypothetically | hypothetical | theoretically
        | once upon a time | eli5 | explain like | from now on you
        | in (?:another|a different|a past|a previous|my next|my past|my previous|a parallel|an alternate
        |an ideal|a perfect) (?:life|world|universe|timeline|reality)
        | in (?:my|this|the|our) (?:dreams?|story|scenario|game|novel|fantasy|fanfic|campaign|roleplay
        |play|film|movie)
        | you (?:must|should|will) (?:now )?(?:act|pretend|play|say|be|respond|answer)
        | you are (?:now )?(?:an? |the |my |playing )?(?!so\b|such\b|right\b|welcome\b|amazing\b|awesome\b
        |great\b|very\b|really\b|the best\b|good\b|star\b|legend\b|genius\b
        |lifesaver\b)(?:\S+ ){0,3}?(?:assistant|master|captain|pirate|wizard|king|queen|expert|detective
        |character|terminal|bot|ai|chef|coach|\w+er|\w+or|\w+ist|holmes)\b
        """
    )
)
"""Begins a game of make-believe: what follows is part of it."""
FOR_FICTION: Final = lazy_regex(
    r"(?:this is |now |so )?(?:for|in) (?:my|the|our|a|this) (?:\S+ )?"
    r"(?:novel|story|screenplay|play|game|campaign|role-?play|film|movie|comic|fanfic|character)$"
)
"""Ends before a colon behind which somebody invented speaks: "For my novel: my name is Gregor"."""

WRITTEN_AS: Final = lazy_regex(
    "(?:(?:please|now|ok|okay|can you|could you|would you|hey) )*(?:write|compose|tell|draft|create|generate"
    r"|make up|continue|give)\b.*\b(?:(?:in|from) (?:the )?first[- ]person|from the (?:perspective|viewpoint"
    r"|point of view) of|in the (?:voice|style|role) of|monologue)\b"
)
"""Asks for words of an invented speaker, which may stand in the next sentences."""
TO_COME: Final = lazy_regex(
    rf"\b(?:next (?:year|month|week|weekend|summer|winter|spring|fall|autumn|{DAY})|(?:from|starting|as of)"
    rf" (?:next|tomorrow|{DAY}|{MONTH}(?! (?:to|until|till|through|on)\b))"
    r"|in (?:\d+|an?|two|three|four|five|six|ten|a few) (?:years?|months?|weeks?)(?:' time| from now)?$)"
)
"""Tells of a time to come, or of one that may be: "from May I live in Kyoto"."""
NOT_YET: Final = lazy_regex(
    "(?:and |but |or )?(?:by the (?:time|day|moment)|the (?:day|moment|minute)) (?:i|we)\\b"
)
"""Begins a clause of what may come: "by the time I live in Oslo"."""
DENIED_BY_ALL: Final = lazy_regex(r"said (?:no ?one|nobody)\b|(?:not|psych|jk|just kidding|said no one)$")
"""Ends a sentence that was a joke: "I like tea, said no one ever", "I like tea - not"."""
ORDERS: Final = lazy_regex(
    "(?:(?:please|now|ok|okay|can you|could you|would you|will you|and|hey|also|kindly|then) )*"
    + any_of(
        """
        translate | correct | proofread | rewrite | rephrase | paraphrase | summari[sz]e | edit | improve
        | polish | fix | check | review | write | draft | compose | complete | continue | finish | repeat
        | say | read | reply | respond | answer | analy[sz]e | explain | format | shorten | expand | convert
        | classify | extract | grade | critique | transcribe | type | sing | print | echo | output | turn
        | make | put | create | generate | send | post | copy | ignore | disregard | quote | spell | email
        | text | tweet | message
        """
    )
    + r"\b"
)
"""Asks for work on words: those behind a colon are the material."""
TELLS: Final = lazy_regex(
    r"\b"
    + any_of(
        """
        says? | said | saying | reads? | reading | wrote | writes? | written | goes | begins? | starts?
        | starting | opens? | sings? | sang | asks? | asked | replied | answers? | answered | texted
        | tweeted | posted | quotes? | jokes? | riddle | lyrics? | lines? | poem | song | story | essay
        | letter | e-?mail | message | text | caption | sign | sticker | sentence | phrase | paragraph
        | prompt | motto | slogan | headline | title | review | quotation | dialogue | monologue | advert
        | ad | excerpt | passage | following | error | output | log | example | exercise
        """
    )
    + "(?: (?:with|like(?: this)?|as follows|to me|him|her|me|us))?$"
)
"""Ends a clause behind whose colon another speaks."""
SAYS: Final = (
    "says|said|tells|told|claims|claimed|thinks|thought|believes|believed|insists|insisted|writes|wrote|replies"
    "|replied|texted|asks|asked"
)
"""Words by which others are quoted; "I say" and "I think" tell of oneself."""
REPORTS: Final = lazy_regex(rf"\b(?:{SAYS}|sings|sang|goes)(?: (?:me|us|him|her|(?:the|a|his|her|my) \w+))?$")
"""Ends a clause behind whose comma another speaks."""

NOW: Final = finding(
    rf"""today | tonight | tomorrow | yesterday | right now | just now | last night | later | soon
    | again | earlier
    | already | yet | ago | on my way | this one | as we speak | so far | the other (?:day|night|week)
    | this (?:morning|afternoon|evening|weekend|week|time|minute|second|{DAY})
    | (?:last|next|on) (?:the )?weekend | (?:last|next) (?:week|month|{DAY})
    | all (?:day|morning|night|afternoon|week)
    | in (?:a|two|three|five|ten) (?:minutes?|moment|bit|sec|hours?|while)
    | for (?:the weekend|tonight|now|dinner|lunch|breakfast)"""
)
"""Tells of the moment: what is done or felt then is an event, not a fact."""

ONCE: Final = finding(
    r"""
    as an? (?:(?:young|little|small) )?(?:kid|child|teen|teenager|boy|girl|student|toddler) | when i was
    | growing up
    | in (?:my|his|her|their) (?:youth|childhood|teens|twenties|thirties|forties|fifties|[2-5]0s)
    | back (?:in|then|when|home) | from \d{4} to \d{4} | many years | years ago | formerly | previously
    | (?:in|during|at|after|before) (?:high school|college|university|uni|primary school|school
    |grad school|the army|the navy)
    | for (?:\S+ ){0,3}(?:years?|months|decades?|ages) | until (?:\S+ ){0,2}\S+ | till (?:\S+ ){0,2}\S+
    | in the (?:[6-9]0s|sixties|seventies|eighties|nineties)
    | every (?:summer|winter|weekend|year) | before (?:this|that|now)
    """
)
"""Makes a simple past one of a time that lasted: a state that is over."""

OFTEN: Final = finding(
    rf"""
    every | each | daily | weekly | monthly | yearly | nightly | annually | twice (?:a|per)
    | once (?:a|per) | times (?:a|per) | most (?:days|mornings|evenings|nights|weekends|weeks)
    | {DAY}s | {DAY} (?:mornings|afternoons|evenings|nights) | (?:on|at) weekends | weekdays | weeknights
    | all the time | a lot
    | in (?:the|my) (?:mornings?|evenings?|afternoons?|winters?|summers?|spare time|free time)
    | a (?:day|week|month|year|night) | per (?:day|week|month|year|night) | before (?:bed|work)
    | after work | for (?:a living|fun|charity) | at (?:work|home) | as a hobby
    | to (?:work|school|uni|college|the office) | on the side | by hand | from scratch | all my
    | professionally | competitively | religiously
    """
)
"""Tells of a habit, whatever the verb."""
LONG: Final = lazy_regex(
    r"\b(?:for (?:\S+ ){0,3}(?:years?|months?|weeks?|decades?|ages|long|while|life)|since|all (?:my|his"
    r"|her) life|my (?:whole|entire) life|always|over the (?:past|last)|years|lately"
    r"|in (?:\S+ ){1,2}(?:years|months|decades))\b"
)
"""A span of time that reaches to the present."""
SHORT: Final = lazy_regex(
    r"\b(?:minutes?|hours?|today|this (?:morning|week|afternoon|evening)|days?(?! a week)|yesterday"
    r"|last night|all (?:day|morning|night)|since (?:\S+day|yesterday|this|last (?:night|week)))\b"
)
"""A span too short for a habit."""
BEGUN: Final = finding(
    "now | these days | nowadays | currently | lately | recently | at the moment | at present"
)
"""Says that something is new."""
NO_MORE: Final = finding("any ?more | any longer | no longer | no more | after all")
"""Says, with a denial, that something is over."""
