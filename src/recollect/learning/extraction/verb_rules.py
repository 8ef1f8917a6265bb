"""What verbs of habit, trade and possession say: rules for the words behind them."""

from collections.abc import Mapping
from typing import Final

from recollect.learning.extraction.facts import Category
from recollect.learning.extraction.phrases import GROUPS
from recollect.learning.extraction.rules import rules_of
from recollect.learning.extraction.verbs import TASTES
from recollect.learning.listing import listed

HABITS: Final = rules_of(
    r"""
live/reside: (?:(?:right|just|out|up|down|over|somewhere|back) )*(?:in
 |at) (?P<o>{A_DWELLING}\b.*) => lives in;
  context
live/reside: (?:(?:right|just|out|up|down|over|somewhere|back) )*(?:in
 |at) (?P<o>.+?){DETAIL} => lives in; context; single
live: (?P<p>with|near|on|outside|by|above|below|between|under|opposite|across from|next to|close to
 |next door to|off|within|inside|among|around|behind|beside) <o> => lives {p}; context
live: (?P<o>alone|abroad|downstairs|upstairs|next door|nearby|off-grid|off the grid|separately|by myself
 |together|on my own|(?:just |about |only |around )*\S+ (?:\S+ )?(?:from|away from|outside|north|south|east
 |west) .+) => lives; context
work: (?:\S+ly )?as (?:an? )?(?P<o>(?!(?:hard|much|little|fast|quickly|well|long|often|usual
 |if|though|late|early|efficiently|one)\b).+?)(?=(?: (?:at|for|in|with|since|on) .+)?$) => works as;
  context; single
work: (?P<o>from home|remotely|nights?|days|shifts|weekends|part[- ]time|full[- ]time|freelance
 |the night shift|night shifts|the \S+ shift|from \S+ to \S+|overtime|\S+ (?:hours|days) a (?:day
 |week)) => works; context
work: (?:part[- ]time |full[- ]time |remotely |freelance |over |out |mostly )*(?P<p>at
 |for) (?P<o>{NO_EMPLOYER}(?: (?:and|or|but|because|on|in|with|from|by|every|each|all|at|for|since|an?|the|my
 |to|most|some|{NUMBER}|only|now|this|these|straight)\b.*)?)$ => works {p}; context
work: (?:part[- ]time |full[- ]time |remotely |freelance |over |out )*(?:at
 |for) (?P<o>.+?){DETAIL} => works at; context; single
work: (?:part[- ]time |full[- ]time |mostly |\S+ly )*(?P<p>in|with|on|alongside|across
 |under) <o> => works {p}; context
work: (?P<o>(?:\S+ ){1,3}jobs?) => works; context
work: (?P<o>out\b.*) => works; general
work: (?P<o>(?:best|better) .+) => works; preference
study: (?P<p>at|in|with|under) <o> => studies {p}; context
study: (?P<o>(?!(?:hard|late|a lot|for|real|really|so)\b).+) => studies; context
learn: (?P<o>(?:better|best|faster|more easily) .+) => learns; preference
major/minor: in <o> => majors in; context; single
specialize/specialise: in <o> => specializes in; skill
learn: (?:how )?to <o> => learned to; skill
root: for <o> => supports; preference
come/hail: from (?P<o>an? (?:\S+ ){0,3}?(?:family|background|household|line|generation)\b.*) => comes from;
  context
come/hail: from (?P<o>(?!work\b|home\b|there\b|here\b|that\b|behind\b|all\b|within\b
 |different\b).+) => comes from; context; single
know: how to (?P<o>(?!(?:do|make|use|fix|handle) (?:it|that|this)\b|get\b|deal\b|be\b|feel\b|say\b|help\b
 |respond\b|explain\b|approach\b|proceed\b|start\b|handle\b).+) => knows how to; skill
know: (?:a bit of|a little|a little bit of|some|basic|enough|a lot of|plenty of) <o> => knows; knowledge
know: <o> => knows; knowledge
use: <o> => uses; knowledge
code/program: (?:\S+ly )?in <o> => codes in; skill
write: (?:some )?(?P<o>(?:java|python|rust|go|c|c\+\+|c#|haskell|clojure|kotlin|swift|ruby|php|perl|scala
 |typescript|javascript|sql|code)\b.*) => writes; skill
believe: in <o> => believes in; general
identify: as <o> => identifies as; context
suffer: from <o> => suffers from; context
struggle: with <o> => struggles with; context
weigh/measure: (?:about |around |roughly |just |only )*(?P<o>\d.+) => weighs; context; single
belong: to <o> => belongs to; general
subscribe: to <o> => subscribes to; general
tend: to <o> => tends to; general
vote: (?:for )?<o> => votes; general
support: <o> => supports; preference; single
care: (?:a lot |deeply |very much |strongly |greatly )*about <o> => cares about; general
care: (?:much )?for <o> => cares for; preference
listen: to <o> => listens to; preference
wake: up (?P<o>(?:at|around|before|early|late|by).*) => wakes up; general
get: up (?P<o>(?:at|around|before|early|late).*) => gets up; general
get: (?P<o>(?:\S+ )?{DISEASE}\b.*) => gets; context
go: by (?P<o>[^\W\d]\S*)$ => is named; context; single
go: to <o> => goes to; general
go: (?P<o>\w+ing\b.*) => goes; general
run: (?P<o>(?:an?|my own|our own|the family|two|three|several) .+) => runs; context
run: <o> => runs; general
manage/lead/supervise: (?P<o>(?:an?|the|two|three|\d+|our|several) .+) => leads; context
take: (?P<o>(?:\d.* ?(?:mg|mcg|milligrams|ml|units)\b.*|(?:\S+ ){0,3}(?:pills?|tablets?|medications?|meds
 |medicine|insulin|vitamins?|supplements?|antidepressants?|antihistamines?|statins?|melatonin|creatine
 |injections?|inhaler)\b.*)) => takes; context
play: (?:the )?(?P<o>(?:\S+ )?{INSTRUMENT}\b.*) => plays; skill
speak: <o> => speaks; skill
spend: (?P<o>.*\bevery\b.*|most .+|(?:my|our) (?:weekends|summers|winters|evenings|mornings|holidays|sundays
 |days) .+) => spends; general
""",
    GROUPS,
)
"""By verbs. A verb without a rule here, or of which none fits, is read with what stands behind it."""
ONLY_BY_RULE: Final = listed(
    """
    live reside learn know come believe identify suffer struggle weigh measure belong subscribe tend get go
    manage lead speak spend specialize specialise major minor care wake work
    """
)
"""Verbs that are read by their rules alone."""

IN_PROGRESS: Final = rules_of(
    r"""
work: (?P<p>on) (?P<o>(?:an?|my|our|the) (?:\S+ ){0,3}(?:novel|book|thesis|dissertation|phd|doctorate
 |masters|master's|startup|album|business|film|movie|documentary|memoir|screenplay|game|app
 |degree)\b.*) => works on; context
learn: (?:how )?(?:to )?(?P<o>(?!about\b|more\b|a lot\b|so\b|that\b|from\b).+) => is learning; context
train: for <o> => is training for; context
train: (?:as|to (?:be|become|run)) <o> => is training as; context
prepare: for (?P<o>(?!the (?:meeting|party|weekend)|my (?:trip|meeting)).+) => is preparing for; context
study: (?!real\b|hard\b|so\b)(?:for )?(?P<p>at|in|with|under)? ?(?:an? |my )?<o> => studies {p}; context
save: (?:up )?(?:money )?(?:for|to) <o> => is saving for; general
write: (?P<o>(?:an?|my|our) (?:\S+ ){0,2}(?:novel|book|memoirs?|thesis|dissertation|phd|blog|screenplay
 |musical|album|opera|cookbook|textbook|autobiography|biography|trilogy)\b.*) => is writing; context
build: (?P<o>(?:an?|my|our) (?:\S+ ){0,2}(?:{HOME}|startup|company|business|guitar|telescope|shed|deck
 |greenhouse|treehouse)\b.*) => is building; context
take: (?P<o>(?:\S+ ){0,4}(?:classes|class|lessons|courses?|medications?|pills|antidepressants|insulin
 |supplements|antibiotics|gap year|sabbatical)\b.*) => is taking; context
do: (?P<o>(?:an?|my|the|his|her) (?:\S+ ){0,3}(?:{DEGREE}|bachelor|master|internship|apprenticeship|course
 |a-levels|bootcamp|postdoc)\b.*) => is doing; context
expect: (?P<o>(?:(?:my|our|her|a|an|his|their|another) (?:\S+ ){0,2})?{KINSHIP}\b.*) => is expecting;
  context
see: (?P<o>a (?:\S+ )?(?:therapist|psychologist|psychiatrist|counsell?or|nutritionist|physio\S*|chiropractor
 |dietitian|specialist)\b.*) => is seeing; context
date: (?P<o>(?!it\b|again\b|back\b|around\b|myself\b)(?:an?|my|someone|somebody|anyone|anybody
 |[^\W\d]\S*)\b.*) => is dating; context; single
pursue: <o> => is pursuing; context
recover: from <o> => is recovering from; context
grow: (?P<o>(?!up\b|old\b|as\b|into\b|fast\b|too\b|and\b|tired\b|so\b|my\b|stronger\b|closer\b|from\b|out\b
 |apart\b|to\b).+) => grows; general
raise: (?P<o>(?!money\b|awareness\b|funds\b|the\b|my (?:voice|hand)).+) => is raising; context
run: (?P<o>(?:an?|my own|our own) (?:\S+ ){0,3}(?:business|company|shop|store|cafe|bakery|restaurant|startup
 |studio|agency|blog|podcast|channel|farm)\b.*) => runs; context
""",
    GROUPS,
)
"""What "is learning" and its like say; lasting verbs without a rule here are read like habits."""

HAVING: Final = rules_of(
    r"""
have: (?:over |about |around |almost |more than |some |a lot of |extensive
  |plenty of )*(?P<o>(?:\S+ ){0,4}experience (?:in|with|of|as|working|teaching|at) .+) => has; knowledge
have: (?P<o>(?:\S+ ){0,3}(?:fear|phobia) of .+) => has; general
have: an? (?:\S+ )?(?P<p>weakness|soft spot|passion|thing|fondness|preference|taste
 |love) for <o> => has a {p} for; preference
have: (?P<o>a (?:\S+ )?sweet tooth) => has; preference
have: (?P<o>(?:an? )?(?:\S+ )?(?:allergy|allergies|intolerance|aversion) to .+) => has; context
have: (?P<o>(?:\S+ ){0,3}?(?:green thumb|photographic memory|perfect vision|criminal record
 |high cholesterol|(?:high|low) blood pressure|resting heart rate .+|dual citizenship
 |green card)) => has; context
have: (?P<o>(?:trouble|difficulty|difficulties|problems) (?:sleeping|falling asleep|hearing|walking
 |concentrating|focusing|swallowing|breathing)(?! (?:last|tonight|today)).*) => has; context
have: (?P<o>(?:an? )?(?:bad|weak|stiff|artificial|prosthetic|trick|sensitive|dry|oily|curly|straight|long
 |short|red|brown|blue|green|gr[ea]y|black|blonde?|flat|fair|dark) (?:knees?|back|hips?|shoulders?|heart
 |legs?|arms?|stomach|skin|hair|eyes|feet|lungs|ankles?|wrists?|bladder).*) => has; context
have: (?P<o>(?:an? |my own |our own )(?:\S+ ){0,3}(?:job|position|role|internship|apprenticeship
 |contract) (?:at|as|in|with|for) .+) => has; context
""",
    GROUPS,
)["have"]
"""What one can have, told by more than a noun."""

KINDS: Final[Mapping[str, Category]] = {
    **dict.fromkeys(TASTES, "preference"),
    **dict.fromkeys(("eat", "drink", "watch", "read", "stream"), "preference"),
    **dict.fromkeys(
        listed(
            """
            teach coach tutor lecture rent study commute attend wear raise foster mentor sublet freelance
            homeschool breastfeed
            """
        ),
        "context",
    ),
    **dict.fromkeys(("speak", "sing", "draw", "code", "program", "juggle", "paint"), "skill"),
}
"""The category of what is said by a verb without a rule; other verbs are general."""
THE_IS_FINE: Final = listed(
    """
    play take ride drive read watch attend do speak teach support go follow run live work study manage
    lead come clean walk
    """
)
"""Verbs whose object may begin with "the": "plays the cello", "takes the bus"."""
