"""What changes a life, and what is so from then on: rules for the words behind "moved" and its like."""

from typing import Final

from recollect.learning.extraction.phrases import GROUPS
from recollect.learning.extraction.rules import rules_of

EVENTS: Final = rules_of(
    r"""
move: (?:over |away |back )*(?:from .+? )?to (?P<o>{TOOL})(?: from .+)?{DETAIL} => uses; knowledge;
  single begun
move: (?:away |out |over |up |down |back |house )*from .+? to (?P<o>(?!{A_POST}\b).+?){DETAIL} => lives in;
  context; single begun
move: (?:away |out |over |up |down |back |here )*(?:to|into) (?P<o>{A_HOUSE})(?: from .+)?{DETAIL} => lives
  in; context; begun
move: (?:away |out |over |up |down |back |here |permanently )*(?:to|into) (?P<o>(?!the next\b|a new (?:phase
 |level)\b|fast\b|tears\b|something\b|another\b|the (?:side|left|right|front|top
 |end)\b|{A_POST}\b).+?)(?: from .+)?{DETAIL} => lives in; context; single begun
immigrate/emigrate/relocate: (?:here )?(?:from .+? )?to (?P<o>.+?){DETAIL} => lives in; context; single
  begun
settle: (?:down )?in <o> => lives in; context; single begun
grow: up (?P<p>in|on|near|with|speaking|as|by|around|between|without|outside) <o> => grew up {p}; context
bear: (?P<p>in|on|near|at) <o> => was born {p}; context; single
raise: (?P<p>in|on|by|as) <o> => was raised {p}; context
graduate: (?:last \S+ |in \d{4} |recently )*(?P<p>from|with|in|as) <o> => graduated {p}; context; begun
graduate: (?P<o>(?:high school|college|university|uni|law school|med school
 |top of).*) => graduated; context; begun
graduate: (?:$|(?:last|this|yesterday|today|recently|early|a|two|three|\d+) ?.*) => graduated; context; begun
retire: (?P<o>.*) => is retired; context; begun
marry: (?P<o>(?!into\b|off\b|up\b).+) => is married to; context; single begun
divorce: (?P<o>.*) => is divorced from; context; begun
separate: from <o> => is separated from; context; begun
remarry: .* => has marital status; context; single begun
get: (?P<o>(?:re)?married|engaged|divorced)(?: .+)? => has marital status; context; single begun
get: hired (?:by|at) <o> => works at; context; single begun
get: promoted to <o> => works as; context; single begun
promote: to <o> => works as; context; single begun
get: diagnosed with <o> => has; context
diagnose: with (?P<o>.+?){DETAIL} => has; context
get: (?:laid off|fired|made redundant|let go)(?: .+)? => works; context; ended
fire: (?:$|(?:from|by|in|last|on|at|today|yesterday|after|because|this|two)\b.*) => works; context; ended
lay: off\b.* => works; context; ended
resign: (?:as|from (?:my|the|being)\b).* => works; context; ended
resign: from <o> => works at; context; single ended
resign: (?:$|(?:last|in|on|today|yesterday|after|because|this|a|two)\b.*) => works; context; ended
move: (?:away |out )(?:of|from) (?P<o>(?!the\b|my\b|our\b|an?\b|his\b|her\b|their\b|there\b|here\b
 |home\b|state\b|town\b).+?){DETAIL} => lives in; context; single ended
get: (?P<o>(?:pregnant|sober|tenure|into (?:college|university|med school
 |law school|grad school|\S+ (?:university|college))).*) => got; context; begun
get: (?P<o>(?:an? |my |the )(?:\S+ ){0,3}(?:job|position|internship|promotion|apprenticeship) (?:at|as|with
 |in|from|for) .+) => has; context; begun
get/earn/receive: (?P<o>(?:an? |my |our )(?:\S+ ){0,3}{DEGREE}\b.*) => has; context; begun
get/adopt/buy: (?P<o>(?:an?|two|three|another|my|our|some) (?:\S+ ){0,4}{PET}\b.*) => has; context; begun
adopt: (?P<o>(?:an?|two|three|our|my) (?:\S+ ){0,3}(?:{KINSHIP}|children|kids
 |siblings)\b.*) => has; context; begun
buy: (?P<o>(?:an?|our|my|two|the|another) (?:\S+ ){0,4}{HOME}\b.*) => has; general; begun
sell: (?:my|our) (?P<o>(?:\S+ ){0,3}(?:{HOME}|drone|guitar|piano|company|business|shop
 |camera)\b.*) => has; general; ended
sell: (?:my|our) (?P<o>\S+)(?: .+)? => has; general; ended
become: <o> => is; context; begun
switch: (?:over )?from .+? to <o> => uses; knowledge; single begun
switch: (?:over )?to (?P<o>(?!the next\b|another\b|a different\b|a new (?:topic
 |approach)\b).+) => uses; knowledge; single begun
convert: to (?P<o>islam|judaism|catholicism|christianity|\S+ism)\b.* => follows; context; single begun
change: my (?:\S+ )?name (?:from \S+ )?to (?P<o>\S+) => is named; context; single begun
join: (?P<o>(?:the|an?|my|our) (?:\S+ ){0,5}?{GROUP}\b.*) => belongs to; general; begun
found: (?P<o>(?:an?|my|our|the|two) .+) => founded; context
start/begin: working (?P<p>at|for|as) <o> => works {p}; context; single begun
start/begin: (?:an? |my )(?:\S+ ){0,3}(?:job|position|role|internship|apprenticeship|residency) (?P<p>at
 |with|for|as|in) <o> => works {p};context; single begun
start/begin/open/launch: (?P<o>(?:an?|my|our) (?:\S+ ){0,3}(?:business|company|shop|store|bakery|startup
 |channel|blog|podcast|band|phd|degree|course|masters|master's|family|farm|nonprofit|non-profit|charity
 |foundation|studio|practice|therapy|medication|diet)\b.*) => has; context; begun
leave: my (?P<o>husband|wife|partner|boyfriend|girlfriend|band)(?: .+)? => has; context; ended
lose: my (?:\S+ ){0,2}?job(?: .+)? => works; context; ended
lose: my (?P<o>hearing|sight|eyesight|sense of smell)(?: .+)? => has; context; ended
break/split: up with (?:my |her |his )?<o> => has; context; ended
pass: away\b.* => passed away; context; begun
die: (?!in (?:the|an?|my|our|this|that) (?:\S+ )?(?:game|movie|film|book|story|dream|show|novel|series
 |episode|play)\b)(?:$|(?:of|from|in|when|last|two|a|at|on|\d|three|this|earlier|before
 |after)\b.*) => died; context; begun
drop: out of (?P<o>(?:\S+ )?(?:college|school|uni|university|program|course)\b.*) => dropped out of; context
finish: (?P<o>(?:(?:my|an?) )?(?:\S+ ){0,2}?\S*?(?:{DEGREE}|school|college|university|studies
 |training|apprenticeship)\b.*) => finished;context
turn: (?P<o>{NUMBER})(?: .+)? => is aged; context; single begun
have: (?P<o>(?:an? )?(?:baby(?: boy| girl)?|little (?:boy|girl)|{KINSHIP}
 |triplets)\b.*) => has; context; begun
have: (?P<o>(?:an? )?(?:\S+ ){0,2}(?:surgery|bypass|transplant|stroke|heart attack|miscarriage|c-section
 |hysterectomy|vasectomy|(?:hip|knee) replacement)\b.*) => had; context
""",
    GROUPS,
)
"""By verbs."""
PLANS: Final = rules_of(
    r"""
get: (?P<o>married|divorced)\b.* => plans to get; plan
have: (?P<o>(?:an? )?(?:baby|{KINSHIP}|triplets)\b.*) => is expecting; context
plan: (?:to|on) (?P<o>(?!do (?:it|that|this)\b).+) => plans to; plan
intend: to <o> => plans to; plan
hope: to (?P<o>{LIFE}\b.*) => plans to; plan
go: to (?P<o>{LIFE}\b.*) => plans to; plan
think: (?:of|about) (?P<o>{CHANGING}\b.*) => is thinking of; plan
move: (?:\S+ )??to (?P<o>(?!the\b|an?\b|my\b|our\b).+) => plans to move to; plan
retire: (?P<o>.+) => plans to retire; plan
""",
    GROUPS,
)
"""What is intended, behind "am planning" and its like."""
