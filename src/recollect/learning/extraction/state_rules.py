"""What "to be" says of someone: rules for the words behind "I am"."""

from typing import Final

from recollect.learning.extraction.phrases import GROUPS
from recollect.learning.extraction.rules import rules_of

STATES: Final = rules_of(
    r"""
be: (?:\S+ly )?allergic to <o> => is allergic to; context
be: (?:an? )?(?:strict |lifelong |ethical |committed |\S+ly )?(?P<o>{DIET}) => has diet; preference; single
be: (?P<o>(?:\S+ )?intolerant(?: (?:to|of) .+)?) => is; context
be: (?P<p>sensitive|prone) to <o> => is {p} to; context
be: (?P<o>{CONDITION}) => is; context
be: (?:about |around |almost |nearly |only |over |just )?(?P<o>{NUMBER}(?: and a half)?)(?=
  |$)(?! {UNIT}\b)(?: (?:years?|yrs?|months?|weeks?)(?: old| of age)| yo| y/o)? => is aged; context; single
be: (?P<o>in (?:my|his|her|their) (?:early |mid |late |mid-|early-|late-)?(?:teens|twenties|thirties|forties
 |fifties|sixties|seventies|eighties|\d0s)) => is aged; context; single
be: (?P<o>(?:about |around |only |just |almost )?\d[\d.,'"]* ?(?:m|cm|feet|foot|ft
 |inches)?(?: ?\d{1,2})?(?: (?:inches|in|cm))? tall) => has height; context; single
be: from (?P<o>an? (?:\S+ ){0,3}?(?:family|background|household|line|generation)\b.*) => comes from; context
be: (?:all |both )?(?:originally )?from (?P<o>(?!scratch|here\b|there\b|that\b|work\b|home\b|the (?:future
 |heart|start|beginning|same)).+?)(?= but|$) => comes from; context; single
be: to (?P<o>(?!the (?:doctor|store|shop|dentist)\b|bed\b|work\b|hell\b).+) => has been to; general
be: born and raised (?:in|on|near) <o> => was born in; context; single
be: born (?P<p>in|on|at|near) (?P<o>(?!the wrong|love|trouble).+) => was born {p}; context; single
be: (?:raised|brought up) (?P<p>in|on|by|as) <o> => was raised {p}; context
be: based (?:in|out of|near|at) <o> => lives in; context; single
be: (?P<o>(?!married to my (?:job|work|career)\b){MARITAL}(?: to (?!be\b|have\b|know\b
 |see\b).+| with .+)?)(?! (?:out|in
 |handed)) => has marital status;context; single
be: (?:not )?(?:much of )?(?:an?|the) (?:\S+ ){0,3}(?:fan|lover|admirer|devotee
 |supporter) of <o> => is a fan of; preference
be: (?:not )?(?:much of )?an? (?:(?:big|huge|massive|total|real|great|die-hard|diehard|lifelong|avid
 |long-time|enormous|proper|major|super|true) )*(?P<o>(?!big\b|huge\b|massive\b|real\b|great\b|total\b
 |true\b|true\b|super\b)\S+(?: \S+){0,2}?) fan => is a fan of; preference
be: (?:more of )?(?:an? |the )?(?:\S+ )?(?P<o>(?:dog|cat|tea|coffee|beach|mountain|savou?ry|sweet|summer
 |winter|wine|beer|city|country|outdoors?|android|mac|pc|vim|emacs) (?:person|guy|girl|lover|gal|man|woman
 |people)) => is a; preference
be: (?P<p>{FANCY}) <o> => is {p}; preference
be: (?:afraid|scared|terrified|frightened|petrified|phobic|wary) of (?P<o>(?!losing|what|missing
 |being (?:wrong|late)|the (?:future|result)).+) => is afraid of; general
be: (?:not |particularly |especially |always |utterly )*(?P<p>{GOOD} (?:at|in)) <o> => is {p}; skill
be: (?P<p>good|great|better|bad|terrible|handy) with (?P<o>(?:my hands|numbers|kids|children|animals|people
 |tools|words|names|faces|computers|money|directions|technology|plants|horses
 |dogs)\b.*) => is {p} with; skill
be: (?P<p>fluent|conversational|native|bilingual|proficient|intermediate|advanced|certified|trained
 |qualified|licensed|skilled|experienced|well[- ]versed|self-taught) (?:in|with|as|at
 |on) <o> => is {p} in; skill
be: an? (?:\S+ ){0,2}(?:native|fluent) (?P<o>\S+ speaker|speaker of .+) => is a; skill
be: (?:an? )?(?:total |complete |absolute |relative |real )?(?P<p>beginner|novice|expert|pro|newbie|noob
 |master|ace) (?:in|at|with|on|when it comes to) <o> => is a {p} in; skill
be: (?:relatively |brand )?new to (?P<o>(?!this\b|here\b|town\b|it\b|me\b|the (?:area|group|forum|team
 |platform)).+) => is new to; skill
be: (?P<p>familiar|unfamiliar|acquainted|comfortable) with <o> => is {p} with; knowledge
be: (?P<o>{JOBLESS}(?: .+)?) => is; context
be: in (?P<o>{FIELD}) => works in; context
be: employed (?P<p>at|by|as) <o> => works {p}; context; single
be: (?P<o>(?:in|at) {SCHOOL}(?: .+)?) => is; context
be: at (?P<o>(?:the )?(?:university of|\S+ (?:university|college|school)).*) => studies at; context; single
be: (?P<o>{TRAIT}) => is; context
be: (?P<o>{POSITION}) => is; context
be: (?:the )?(?:proud )?(?:owner|co-owner) of <o> => owns; general
be: (?P<o>(?:a )?(?:\S+ )?(?:part|member) of .+) => is; general
be: (?P<o>(?:in|on) (?:an?|the|my|our|two|three|several) (?:\S+ ){0,3}?{GROUP}(?: .+)?) => is; general
be: on (?P<o>{MEDICINE}(?: .+)?) => takes; context
be: on (?P<o>{SYSTEM}(?: .+)?) => uses; knowledge
be: (?P<o>{CHARACTER}) => is; general
be: (?:named|called|known as) (?P<o>(?!for\b|in\b|to\b|out\b|up\b|by\b).+) => is named; context; single
be: (?:the )?(?P<o>(?:chief|head|director|vice president|vp|president|co-?founder|founder|ceo|cto|cfo|coo
 |chair(?:man|woman|person)?|dean|captain|senior \S+|junior \S+) (?:of|at|for
 |in) .+) => works as; context; single
""",
    GROUPS,
)["be"]
"""In the order in which they are tried."""

THINGS_ARE: Final = rules_of(
    r"""
be: (?P<o>about (?!to\b|time\b|half\b|ready\b|done\b).+) => is; general
be: (?P<o>from (?:\d{4}|the (?:\d0s|\d{4}s|\S+ties)).*) => is; general
be: (?P<o>made of .+) => is; general
be: (?P<o>an? (?!piece\b|heap\b|bit\b|little\b|mess\b|pain\b|nightmare\b|disaster\b|joke\b|lot\b|good\b
 |great\b|bad\b|work\b|safe\b|must\b|big\b|huge\b|real\b|wreck\b|total\b|complete\b|place\b|way\b
 |reflection\b|reminder\b|testament\b|dream\b|blast\b|perfect\b|nice\b|source\b|part\b|lifesaver\b|haven\b
 |\S+ (?:place|way|part|source|feeling|experience|reminder)\b).+) => is; general
be: (?P<o>(?:fully |all )?(?:electric|diesel|hybrid|automatic|second[- ]hand|rent-controlled
 |open[- ]plan)\b.*) => is; general
""",
    GROUPS,
)["be"]
"""What is said of a car, a thesis or a house."""
