"""How people tell of what is to come: words for events and deeds, and patterns of what is said of them."""

import re
from typing import Final

from recollect.learning.listing import DATED_MONTH, DAY, MONTH, any_of, divided, either, listed
from recollect.types.regex import lazy_regex

_EVENT: Final = any_of(
    r"""
    (?:board |conference |video |sales |phone )call
    | appointment | meeting | exams? | test | interview | flight | train | surgery | operation | check-?up
    | deadline | wedding | party | concert | recital | viewing | tournament | competition | marathon | race
    | match | conference | presentation | rehearsal | graduation | funeral | hearing | scan | mri | x-ray
    | haircut | reservation | booking | (?<!bank )(?<!public )holiday | vacation | trip | cruise | retreat
    | workshop
    | delivery | inspection | audition | demo | reunion | festival | ceremony | performance | due date
    | dinner | lunch | brunch | drinks
    | op | gig | blood test | vaccination | biopsy | procedure | anniversary | driving test
    | parents'? evening | review | christening | baptism
    """
)
"""What one has at a time."""
_PERSON: Final = any_of(
    """
    dentist | doctor | gp | vet | hairdresser | optician | physio | physiotherapist | therapist
    | dermatologist | gyn(?:a)?ecologist | orthodontist | cardiologist | p(?:a)?ediatrician
    | lawyer | accountant | plumber
    | electrician | barber | notary | midwife
    """
)
"""With whom one has an appointment."""
IS_PERSON: Final = lazy_regex(_PERSON)
EVENTS: Final = lazy_regex(rf"\b(?:{_EVENT}|{_PERSON})(?=s?\b)")
"""What one goes to, by itself or by with whom it is."""
_PAPER: Final = any_of(
    """
    rent | salary | contract | lease | passport | visa | subscription | insurance | membership | free trial
    | trial | warranty | licen[cs]e | semester | term | job | probation | mortgage | tenancy | permit | loan
    | thesis | dissertation | assignment | essay | baby | mot | phone contract | tax return | parental leave
    | maternity leave | notice period | internship | course | school | shift
    | reports? | manuscript | portfolio | application | grant | coursework | invoices? | proposal | tender
    | passports | album | essays | homework
    """
)
"""What begins, ends or changes at a time."""
_CHANGES: Final = any_of(
    """
    goes up | go up | rises | increases | goes down | drops | ends? | expires? | runs? out | starts? | begins?
    | is due | goes in | renews | is up | closes? | leaves? | departs? | arrives? | lands? | takes off
    """
)
_DEEDS: Final = any_of(
    r"""
    flying | travell?ing | driving(?! (?:test|lesson|exam)) | moving | meeting | seeing | visiting | starting
    | leaving | attending | hosting | running | going(?! to (?:bed|sleep|work|school|be)\b) | getting
    | graduating | presenting
    | launching | throwing | taking | performing | playing | retiring | returning | hiking | camping | sailing
    | competing | submitting | celebrating | marrying | speaking | opening | joining | holding | organi[sz]ing
    | finishing | picking up | picking(?= (?:(?:my|our|the) )?\w+(?: \w+)? up) | dropping off | babysitting
    | signing | collecting
    """
)
_DO: Final = any_of(
    """
    fly | travel | drive | move | meet | see | visit | start | leave | attend | host | have | run | go | get
    | graduate | present | launch | throw | take | perform | play | retire | return | hike | camp | sail
    | call | buy | compete | submit | celebrate | marry | speak | open | join | hold | organi[sz]e | finish
    | save | lose | reach | learn | write | raise | pay off | publish | qualify
    | pay | renew | hand in | deliver | send | book | pick up | sign | collect | drop off
    """
)
PRESENT: Final = listed("leave fly land arrive depart move return travel head collect meet see drive")
_DEPARTS: Final = (
    rf"(?:{either(PRESENT)}|(?:get|come) back|set off|pick up|(?:get|start)(?= (?:my|our|the) )"
    r"|go(?= (?:to|on) (?!(?:bed|sleep|work|school)\b)))"
)
"""What is said of the time to come in the present: "we leave on Friday"."""
_AWAY: Final = "(?:off|back|away|out of (?:town|the office)|on (?:leave|holiday|vacation))"
"""Where one will be."""
SOON: Final = lazy_regex(
    rf"\b(?:tomorrow|the \d{{1,2}}(?:st|nd|rd|th)|next \w+"
    rf"|{DAY}(?! (?:mornings|afternoons|evenings|nights)\b)|(?:for|at|over) (?:christmas|easter|new year)"
    rf"|this (?:weekend|month|summer|autumn|fall|winter|spring)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {DATED_MONTH}|{DATED_MONTH} \d{{1,2}}(?:st|nd|rd|th)?"
    rf"|(?:in|by|until|before) (?:early |mid |late )?{MONTH}"
    r"|in (?:\d+|an?|one|two|three|four|five|six|ten|a few|a couple of) (?:days?|weeks?|months?|years?)"
    r"|in 20\d\d|\d{1,2}[./]\d{1,2})\b"
)
"""Names a time that may be to come."""
_CURRENCY: Final = "(?:euros?|dollars?|pounds?|eur|usd|gbp|kr|francs?|chf|k|million)"
_AMOUNT: Final = (
    r"(?P<amount>(?:about |around |roughly |up to |only |at most |under )*(?:[$\u20ac\u00a3]?\d[\d.,]*"
    r"(?: (?:hundred|thousand|grand|million))?|(?:\w+ ){1,2}(?:hundred|thousand|grand|million))"
    rf"(?: ?{_CURRENCY})*(?: (?:a|per) (?:week|month|year|person|night|day))?)"
)
_IN_ALL: Final = "(?: total| max| in total| all in)?"
_ARTICLE: Final = "(?:an? |my |our |the |another )?"
AHEAD: Final = lazy_regex(
    rf"(?:i|we) (?P<verb>(?:am|are) (?:\w+ly )?(?:(?:going|trying|hoping|aiming|planning) to {_DO}|{_DEEDS}"
    rf"|{_AWAY})|{_DEPARTS}"
    rf"|will (?:be )?(?:{_DO}|{_DEEDS})|plan to {_DO}|(?:have|need) to {_DO}|must {_DO}"
    r"|(?:have )?(?:just )?(?:booked|scheduled|reserved|arranged)"
    rf"|(?:have(?: got)?|(?:am|are) having) {_ARTICLE}(?:\S+ ){{0,3}}?(?:{_PERSON} appointment|{_EVENT}"
    rf"|{_PERSON}))"
    r"\b(?P<o>.*)$"
)
"""Tells what the speaker is about to do, or has to, or has booked."""
WITHOUT_SUBJECT: Final = lazy_regex(
    rf"(?P<verb>(?!starting (?:with|from|at|on|in|by)\b){_DEEDS}|having(?= {_ARTICLE}(?:\S+ ){{0,2}}{_EVENT})"
    rf"|{_AWAY}(?= (?:to|in|from|on|until)\b)"
    rf"|(?:have|need) to {_DO})\b(?P<o>.*)$"
)
"""The same where nobody is named: "Flying to Bergen on the 23rd"."""
DAY_TO_COME: Final = lazy_regex(
    rf"\b(?:tomorrow|(?:on|before|by|this|next) {DAY}|next (?:week|weekend|month|year|summer|winter|spring)"
    rf"|(?:on|by) the \d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} \d{{1,2}})\b"
)
"""Names a day plainly, which a sentence without a subject must do to be a plan."""
FINITE: Final = listed("is are am was were will can could would should does do did has makes made went")
"""Verbs by which what begins with a deed says something of it: "flying is scary"."""
_CALLERS: Final = f"(?:{_PERSON}|movers|cleaners?|painters?|builders?|babysitter|nanny|landlord)"
OWN_DEED: Final = lazy_regex(
    r"(?:^|[.!?]\s)\s*(?:(?:I|we)(?:'ve)? |(?:just )?(?:found|got|signed|booked|bought) )[^,.!?]*,\s*$",
    re.IGNORECASE,
)
"""Says what the speaker did, up to a comma: "I found a flat, "."""
OF_OTHERS: Final = lazy_regex(
    r"(?P<verb>(?:is|are) (?:to be \w+ed|booked(?: in)?|coming|flying|visiting|arriving|staying"
    r"|moving(?: in| out)?"
    r"|leaving|landing"
    r"|starting|turning \d+|graduating|getting married)|comes?|arrives?|visits?|lands?|leaves?|starts?"
    r"|graduates?|moves?(?: in| out)?|turns? \d+|gets? married)\b ?(?P<o>.*)$"
)
"""What somebody close, or somebody expected, is about to do."""
CALLER: Final = lazy_regex(rf"the (?P<who>{_CALLERS}) ")
WHEN_FIRST: Final = lazy_regex(
    rf"(?:(?:the day after )?tomorrow|(?:(?:on|this|next|this coming) )?{DAY}|on the \d{{1,2}}(?:st|nd|rd|th)"
    r"|next (?:week|month|year))(?: (?:morning|afternoon|evening|night))? (?=(?:i|we|my|the|our)\b)"
)
"""A time before the subject: "the day after tomorrow I'm picking up"."""
OF_A_NOUN: Final = lazy_regex(
    r"(?:(?P<whose>my|our|the|(?P<owner>[\w-]+)'s) )?"
    rf"(?P<noun>(?:(?!(?:and|oh|ooh|so|but|also) )\S+ ){{0,3}}?(?:(?P<event>{_EVENT}|{_PERSON})|{_PAPER}))"
    r"(?: (?P<of>(?:for|to|with|in|at|on) \S+(?: \S+){0,3}?))?"
    r" (?P<verb>(?:is|are|will be|is now)(?: (?:due|booked|scheduled|set"
    r"|planned|moved|postponed))?|booked(?= for\b)|(?:has been |was |got |has )?(?:moved|postponed"
    r"|rescheduled|pushed back|put back|put off|brought forward)"
    rf"|takes place|(?:(?:has|have|needs?) to|must) (?:be \w+|go in|come in)|{_CHANGES}) (?P<o>.+)$"
)
"""Tells when an event is, or when something begins, ends or changes."""
OF_ANYONE: Final = lazy_regex(
    r"(?:funeral|burial|wake|memorial|wedding|christening|baptism|communion|confirmation|graduation|party"
    r"|match|game|concert|show|fair|reunion)"
)
"""Events that are not the speaker's own for being called "the"."""
MOVED_BY: Final = lazy_regex(
    rf"(?:(?:(?:the|my|our) )?(?P<who>{_PERSON})(?:'s office)?|(?:the|my|our) \S+|they|we|i"
    r"|[\w']+(?= ha(?:s|ve)\b))"
    r" (?:(?:have|has|had to|just) )*"
    r"(?:moved|pushed|postponed|rescheduled|shifted|brought|changed)(?: back| forward)?"
    rf" (?:(?:my|our|the) (?P<noun>(?:\S+ ){{0,2}}?(?:appointment|slot|{_EVENT}|{_PERSON}))|me|us)"
    r"(?: (?:back|forward|up))? (?:to|until|till) (?P<o>.+)$"
)
"""Tells to when somebody moved an event: "the dentist moved my appointment to 19 March"."""
CLOCKED: Final = lazy_regex(r"\d|o'clock|noon|midnight")
"""Names a day of the month or an hour."""
SETTLED: Final = lazy_regex(r"\b(?:deadline|booked|scheduled|due|has to|have to|must)\b")
"""Tells of an appointment or a deadline of the speaker's without "my"."""
NOW_ON: Final = lazy_regex(
    r"(?=.*\b(?:now|instead)\b)(?:it is|its|that is) (?:now )?(?:on )?"
    r"(?P<o>(?:(?!now\b|instead\b|same\b)\S+ ?)+?)(?: (?:now|instead))?,?(?: ?(?P<more>same .+))?$"
)
"""Tells a new date of what was named before."""
NAMED_BEFORE: Final = lazy_regex(
    rf"\b(?:my|our|the) (?P<noun>(?:[\w-]+ ){{0,2}}?(?:{_EVENT}|(?P<who>{_PERSON}|clinic|surgery|garage)))"
    r"(?= |,|$)"
)
"""What that may be."""
MOVED: Final = (
    "moved", "postponed", "rescheduled", "pushed back", "put back", "put off", "brought forward",
)  # fmt: skip
ALONE: Final = lazy_regex(
    r"(?:an? |my |the )?"
    r"(?P<noun>(?:(?!(?:i|we|is|are|was|had|have|the|for|to|a|during|after|before|at|over)\b)\S+ ){0,2}?"
    rf"(?:(?P<person>{_PERSON})|{_EVENT}|{_PAPER}(?= due\b)))(?: appointment)?"
    rf" (?P<o>(?:due|on|at|in|next|this|tomorrow|to|with|for|{DAY})\b"
    r"(?!.*\b(?:is|was|are|will|needs|cancell?ed|called off)\b).*)$"
)
"""Without a verb: "Dentist on 14 March at 10"."""
TAKEN_OUT: Final = lazy_regex(
    r"(?:(?:please|can you|could you) )*(?:remove|delete|cancel|confirm|check|find|show|move|change"
    r"|reschedule|clear)\b"
)
"""Orders about an event that say nothing of when it is."""
ENTERED: Final = lazy_regex(
    r"(?:(?:please|can you|could you) )*(?:add|put|schedule|note(?: down)?|write down|mark|create|enter"
    r"|set up)"
    r" (?:an? |my |the )?"
)
"""Orders to write an event down."""
CALENDAR: Final = lazy_regex(
    r"\b(?:to|on|in|into|onto) (?:my|the|our) (?:calendar|schedule|diary|agenda)\b ?", re.IGNORECASE
)
EVENING: Final = lazy_regex(r"\b(?:dinner|drinks|concert|party)\b")
HOUR: Final = lazy_regex(r"\bat ([5-9]|1[01])(?= on\b| tomorrow\b|$)")
"""An hour without "am" or "pm": of dinner it is one of the evening."""
DATE_BEHIND: Final = lazy_regex(
    rf"(?:(?:on )?(?:{DAY}|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}"
    rf"|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?))?"
    r"(?: ?at \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?)?(?:(?:at the )?same (?:time|hour|place))?"
)
NAMED_MONTH: Final = lazy_regex(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )({MONTH})\b", re.IGNORECASE)
"""A day of a month, with the month's name."""
STRETCH: Final = lazy_regex(r"\bfor the next [\w ]+$", re.IGNORECASE)
REMIND: Final = lazy_regex(
    r"(?:hi |hey |hello |ok |also |please |can you |could you |will you |would you |and )*remind me"
    r" (?P<o>(?:to|about|of|that|on|next|tomorrow)\b.+)$"
)
BUDGETS: Final = (
    lazy_regex(
        r"(?:(?:my|our|the) )?(?:(?:total|overall|whole|new) )*budget(?: for (?P<what>.+?))?"
        rf" is {_AMOUNT}{_IN_ALL}$"
    ),
    lazy_regex(rf"(?:my|our|the) (?:\w+ ){{0,2}}?budget for (?P<what>.+?) is {_AMOUNT}$"),
    lazy_regex(
        r"(?:(?:i|we) )?(?:(?:am|are|have|had|just|now|to|will) )*"
        r"(?:bump|up|upp|rais|increas|lower|cut|cutt|reduc|mov|set|sett|chang|doubl|push|stretch)(?:e|ed|ing|s)?"
        r" (?:my|our|the) (?:(?P<what>(?!budget\b)\w+) )?budget"
        rf" (?:(?:up|down|back) )*to {_AMOUNT}{_IN_ALL}(?: now)?$"
    ),
    lazy_regex(rf"(?:my|our|the) (?:\w+ ){{0,2}}?budget is {_AMOUNT} for (?P<what>.+)$"),
    lazy_regex(
        rf"(?:(?:my|our|the) )?(?P<what>(?!(?:my|our|the|an?|this|that|your|his|her|their)\b)\w+) budget is"
        rf" {_AMOUNT}{_IN_ALL}$"
    ),
    lazy_regex(rf"(?:i|we) have a budget of {_AMOUNT}(?: (?:for|on) (?P<what>.+))?$"),
    lazy_regex(
        rf"(?:i|we) (?:have|can spend) {_AMOUNT} (?:budgeted |set aside |to spend )?(?:for|on) (?P<what>.+)$"
    ),
)
HINTS: Final = tuple(
    divided(
        """
        christmas | easter
        | budget | spend | tomorrow | next | day | week | month | year | summer | autumn | in fall | winter
        | spring | january | february | march | april | may | june | july | august | september | october
        | november | december | jan | feb | mar | apr | jun | jul | aug | sep | oct | nov | dec
        | / | in 20 | the 1 | the 2 | the 3 | the 4 | the 5 | the 6 | the 7 | the 8
        | the 9
        """
    )
)
"""A part of what names a time to come or an amount, looked for first because that is faster."""
SHORT_DATE: Final = lazy_regex(r"\b(?:[jfmasond][aepuco][nbrlgptvc]\.?|sept\.?) \d")
"""Looks like a short month and a day: "Dec 14"."""
NOUNS: Final = lazy_regex(
    rf"\b(?:{_EVENT}|{_CALLERS}|{_PAPER}|budget|remind|clinic|surgery|garage)\b", re.IGNORECASE
)
BEGINS: Final = lazy_regex(rf"(?:^|[.!\n] *)(?:{_DEEDS}|{_AWAY}|need to|have to|gotta)\b", re.MULTILINE)
ALONE_IS_ENOUGH: Final = listed(
    """
    leaving flying moving returning travelling traveling graduating retiring leave fly move return travel
    graduate retire off back away landing land arrive depart house
    """
)
"""Verbs that say enough with no more than a time."""
POINTING: Final = listed(
    "it this these those him her them i i'm we you ya your here there that something it's"
)
NO_PLAN: Final = listed(
    "not never might maybe would could if wish hopefully possibly every each always usually thinking"
)
