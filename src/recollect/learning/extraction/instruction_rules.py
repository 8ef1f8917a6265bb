"""How people instruct an assistant: a table of clauses, and what each asks for."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from recollect.learning.extraction.people import LANGUAGES
from recollect.learning.foods import FOODS, singular
from recollect.learning.listing import any_of, divided, either, listed
from recollect.types.regex import lazy_regex

DO: Final = any_of(
    """
    answer | reply | respond | write | speak | talk | suggest | recommend | propose | mention | bring up | use
    | include | provide | give | ask | show | list | cite | quote | format | confirm | explain | add | avoid
    | remind | summarise | summarize | translate | address | refer to | start | end | check | double-check
    | offer | send | tell | describe | assume | point out | warn | verify | convert | put | assign | order
    | book | reserve | prefer | choose | pick | serve | play | call | plan | schedule | cook | run | commit
    | push | test | lint | build | merge | rebase | deploy | install | edit | touch | rename | document | log
    | mock | print | display | round | sign | say | skip | leave out | apologise | apologize | repeat
    | guess | invent | sugarcoat | lecture
    """
)
"""What an assistant can be told to do."""
_DOING: Final = any_of(
    "suggesting | recommending | proposing | mentioning | bringing up | using | including | quoting | calling"
    " | saying | repeating | putting | giving | sending | telling | asking | adding | writing | starting"
    " | ending | answering | showing | offering | listing | explaining | assuming | reminding | translating"
)
_THINGS: Final = (
    r"(?:me )?(?!(?:me )?(?:an?|the|this|that|these|those|it|them|him|her|my|our|your|his|more|another|some"
    r"|all|too|any ?thing|something|things|stuff)\b)(?:[\w'-]+ ){0,3}?(?:[\w'-]{3,}(?<!s)s|\w{2,}ing)"
    r"(?: (?:from|off|with|without|about|of|on|like|made|near|by)"
    r" (?!(?:this|that|these|those|it|here|there)\b).+?)?"
)
"""Things of a kind, without an article: "used phones off Gumtree"; "the second one" is one thing."""
_RUNS_ON: Final = (
    r"(?: (?<!if )(?<!when )(?<!that )(?<!whether )(?<!what )(?<!how )(?<!where )(?<!because )(?<!and )"
    r"(?<!like )"
    r"(?:it|they) (?:is|are|does|do|drives?|makes?|gets?|annoys?|winds?|hurts?|looks?|reads?|wastes?) .+)?"
)
"""Why, without a comma: "it does my head in"."""
_PRIVATE: Final = any_of("mention | bring up | talk about | ask about | ask me about | remind me of")
ANSWER: Final = any_of("answer | reply | respond | write | speak | talk | chat | communicate") + (
    "(?: (?:back|only|(?:to|with) me|me))*"
)
ANSWERS: Final = any_of("answers? | replies | responses? | messages | explanations")
TONGUE: Final = either(LANGUAGES)
_SOME: Final = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|ten|twenty|fifty|a hundred|a few) (?:short )?"
    "(?:words?|sentences?|lines?|paragraphs?|bullet points|bullets|characters|steps|points)"
    "(?: (?:max(?:imum)?|at most|tops|or less|or fewer))?"
)
"""A length of answers."""
_EACH: Final = "(?:per|in each|for each|in every|for every|in an|in your|in any)"
_NOW_ON: Final = any_of(
    "from now on | from here on | going forward | henceforth | in the future | in future | by default"
)
CLOCK: Final = r"(?:\d{1,2}(?:[:.]\d\d)? ?(?:[ap]m)?|midnight|noon|midday|dark|work|lunch|dinner|bedtime)"
TIMES: Final = (
    rf"(?:(?:between|from) {CLOCK} (?:and|to|until|till) {CLOCK}|(?:before|after) {CLOCK}"
    r"|at (?:night|weekends|the weekend|lunchtime)"
    r"|on (?:a )?(?:weekdays?|weekends|(?:sun|mon|tues|wednes|thurs|fri|satur)days)"
    r"|in the (?:mornings?|evenings?|afternoons?)|during (?:the (?:week|day|night)|work(?:ing)? hours))"
    r"(?: (?:in the (?:morning|afternoon|evening)|at night|[ap]m))?"
)
"""A time that comes again, with its preposition."""
HERE: Final = (
    r"(?:in|for|on) (?:this|the current) (?:\w+ )?(?:repo(?:sitory)?|project|code ?base|app|service|package"
    r"|module|workspace)"
)
"""A place of work."""
SIGNS: Final = any_of("emojis? | exclamation marks | slang | jargon | bullet points")
_GROUPS: Final[Mapping[str, str]] = {
    "DO": f"(?P<verb>{DO})",
    "DOING": f"(?P<verb>{_DOING})",
    "PRIVATE": f"(?P<verb>{_PRIVATE})",
    "ANSWER": ANSWER,
    "ANSWERS": ANSWERS,
    "LANGUAGE": f"(?P<o>{TONGUE})",
    "NOW_ON": _NOW_ON,
    "TIMES": TIMES,
    "EACH": _EACH,
    "ANSWER_NOUN": any_of("answer | reply | response | message | explanation"),
    "SIZE": "(?:(?:very|nice and|really|more|as) )*(?P<o>"
    + any_of(
        """
        short | brief | concise | terse | succinct | long | detailed | shorter | briefer | longer | crisp
        | to the point | simple
        """
    )
    + ")",
    "LIMIT": "(?:to )?(?P<o>(?:"
    + any_of(
        """
        under | below | within | at | at most | no more than | no longer than | max(?:imum)?(?: of)?
        | less than | fewer than | up to | around | about
        """
    )
    + f" )*{_SOME})",
    "SOME": f"(?P<o>{_SOME})",
    "MANNER": "(?P<o>(?:more )?"
    + any_of(
        """
        brief | concise | formal | informal | casual | polite | direct | honest | blunt | friendly | chatty
        | funny | playful | serious | gentle | patient | encouraging | professional | firm | kind | nice
        | calm | neutral | respectful
        """
    )
    + ")",
    "STYLE": "(?P<o>"
    + any_of(
        """
        emojis? | exclamation marks | jargon | bullet points | small talk | apologies | spoilers | slang
        | explanations | fluff | preambles? | disclaimers | filler | praise
        """
    )
    + ")",
    "SIGNS": SIGNS,
    "OFFER": "(?P<verb>suggest|recommend|propose|offer)",
    "ALONE": "(?P<verb>suggest|recommend|propose|offer|send|give|show)",
    "THINGS": _THINGS,
    "RUNS_ON": _RUNS_ON,
    "FOOD": either(FOODS | {singular(one) for one in FOODS}),
    "KIND": "(?:any )?"
    + any_of(
        "anything | something | things | stuff | recipes? | dishes | meals | food | snacks | restaurants"
    ),
    "WANT": any_of("want | need | like | prefer | would like | would prefer | expect"),
    "FORGET": "(?:forget|ignore|disregard|drop|scrap|cancel|lift)",
    "NOT": rf"(?:(?:not |never )?(?:{_DOING}|asking|giving|writing|answering|sending|reminding) (?:me )?"
    "|not |never )?",
    "NEED_NOT": "you (?:do not|need not)(?: have| need)?(?: to)?",
}
_END: Final = (
    "(?: (?:please|pls|though|only|thanks|ok|okay|obviously|of course|now|again|any ?more|with me|to me|btw"
    "|by the way|here|" + HERE + "|" + _NOW_ON + "))*$"
)


class Order(NamedTuple):
    """A way to instruct.

    Attributes:
        relation: What the fact's relation is; ``{verb}`` stands for the verb.
        said: What the fact says behind its subject; ``{o}`` stands for the object.
        flags: ``single``: there is one value at a time; ``ends``: it takes an instruction back;
            ``stops``: the same, and it says nothing where no instruction is known that it can end;
            ``marked``: it stands only with a word such as "always" or "from now on", or with its reason;
            ``reasoned``: it stands only with its reason: "I'm coeliac, so no pasta please";
            ``secret``: it stands where it keeps something from one of the speaker's people;
            ``alone``: it stands with a mark, or where a message says no more than it and what made it so.
        pattern: The clause; its group ``o`` is the object, ``verb`` what is to be done.
    """

    relation: str
    said: str
    flags: frozenset[str]
    pattern: re.Pattern[str]


_ROWS: Final = r"""
answer language | no longer wants answers in {o} | single ends | stop (?:answering|replying|responding|writing
 |speaking|talking)(?: to me)? in {LANGUAGE}
answer language | no longer wants answers in {o} | single ends | (?:do not|(?:there is )?no need to
 |{NEED_NOT}) {ANSWER} in {LANGUAGE}
answer language | wants answers in {o} | single marked | (?:always |you can |you may |you should
 )?(?:only )?{ANSWER} (?:only )?in {LANGUAGE}
answer language | wants answers in {o} | single marked | (?:always |only |let us )?(?:speak|talk
 |chat) (?:only )?{LANGUAGE}
answer language | wants answers in {o} | single | (?:switch|go|change) (?:back |over )*to {LANGUAGE}
answer language | wants answers in {o} | single | i {WANT} (?:your |all |the |all your
 )?{ANSWERS} (?:to be )?in {LANGUAGE}
answer length | wants answers to be {o} | single | keep (?:all )?(?:of )?(?:your |the
  |my )?{ANSWERS}(?: (?:to|for) me)? {SIZE}(?: please)?(?: and (?:no|without|never|with no) .+)?
answer length | wants answers to be {o} | single | (?:i {WANT}|(?:always )?(?:give|send) me
 |you (?:can|may) give|you (?:can|may) give me) (?:your |the )?{SIZE} {ANSWERS}
answer length | wants answers to be {o} | single | (?:all )?(?:your |my )?(?:answers|replies|responses) (?:can
 |may|should|must) be {SIZE}
answer length | wants answers to be {o} | single | (?:keep|limit) (?:all )?(?:of )?(?:your |the
  |my )?{ANSWERS} {LIMIT}
answer length | wants answers to be {o} | single | (?:all )?(?:your |my )?(?:answers|replies|responses) (?:can
 |may|should|must) (?:be|have) {LIMIT}
answer length | wants answers to be {o} | single | {LIMIT} {EACH} {ANSWER_NOUN}
answer length | wants answers to be at most {o} | single | (?:do not|never)(?: ever)? (?:write|use|give me
 |send|answer with) (?:me )?more than {SOME} {EACH} {ANSWER_NOUN}(?: ever)?
answer language | wants answers in {o} | single marked | (?:all )?(?:your )?{ANSWERS} (?:only )?in {LANGUAGE}
answer length | wants answers to be {o} | single marked | (?:always )?keep it {SIZE}
answer length | wants answers to be {o} | single marked | (?:always )?keep it {LIMIT}
answer length | wants answers to be {o} | single marked | (?:always )?{ANSWER} (?:in|with) {LIMIT}
answer length | wants answers to be {o} | single marked | (?:only )?{SIZE} {ANSWERS}(?: only)?
units | wants {o} units | single marked | (?:always )?(?:use|give me|stick to) (?:only )?(?:the )?(?P<o>metric
 |imperial)(?: (?:units?|system|measurements?))*
temperature unit | wants temperatures in {o} | single marked | (?:always )?(?:use|give|show)(?: me
 )?(?: temperatures)?(?: only)?(?: in)? (?:degrees )?(?P<o>celsius|fahrenheit)
is called | asks not to be called {o} | ends | (?:(?:do not|never)(?: ever)? call|(?:no one|nobody) calls|stop
  calling) me (?P<o>\S+)
is called | asks not to be called {o} | ends | i (?:hate|dislike|can ?not stand|do not (?:like|want))(?: it
  when)? (?:being called|to be called|(?:you|people) call me) (?P<o>\S+)
asks always to be | asks always to be {o} | marked | (?:always )?(?:be|stay|remain|sound|keep it) {MANNER}
asks always to be | asks always to be {o} | | i (?:like|want|prefer|would (?:like|prefer)) you to be {MANNER}
 (?: and .+)?
spelling | wants {o} spelling | single | (?:always )?use (?P<o>british|american|uk|us|canadian|australian)
 (?: english)? spellings?(?: for me)?
asks never to {verb} | allows the assistant to {verb} {o} again | ends | you (?:can|may) {DO} (?P<o>.+?) again
asks never to {verb} | allows the assistant to {verb} {o} | ends stops | you (?:can|may) {DO} (?P<o>.+?) now
asks always to {verb} | no longer asks to {verb} {o} | ends | {NEED_NOT}(?: always| only)? {DO} (?:only
  )?(?P<o>.+?) any ?(?:more|longer)
asks never to {verb} | asks never to {verb} {o} | | (?:never(?: ever)?
 |do not(?: you)? ever) {DO} (?P<o>.+?)(?: (?:again|ever))?
asks never to {verb} | asks never to {verb} {o} | | do not {DO} (?P<o>.+?) (?:ever|again|any ?more|any longer
 |{NOW_ON})
asks never to {verb} | asks never to {verb} {o} | secret | do not
  (?P<verb>mention|say|show|bring up|talk about) (?P<o>.+? (?:to|with|in front of) (?P<whom>(?:my |our )?\S+))
asks never to {verb} | asks never to {verb} {o} | secret | do not (?P<verb>tell)
  (?P<o>(?P<whom>(?:my |our )?\S+)(?: (?:about|that|where|what|how|who|i|we) .+)?)
asks never to {verb} | asks never to {verb} {o} | marked | do not {DO} (?P<o>.+?)
asks never to {verb} | asks never to {verb} {o} | | do not {DO} (?P<o>(?:me )?{KIND} (?:with|containing|made
 |that|which|involving|from) .+?)
asks never to {verb} | asks never to {verb} {o} | | do not {PRIVATE} (?P<o>(?:my|our) .+?)
asks never to {verb} | asks never to {verb} {o} | | (?:stop|quit) {DOING} (?P<o>.+?){RUNS_ON}
asks never to {verb} | asks never to {verb} {o} | alone | do not {ALONE} (?P<o>{THINGS}){RUNS_ON}
asks never to use | asks never to use {o} | | (?:leave out|cut(?: out)?|skip|lose|ditch|spare me|enough
  of) (?:all )?(?:the|your|that|those) (?P<o>.+?) (?:rubbish|nonsense|crap|waffle|guff|bollocks|malarkey)
asks never to {verb} | asks never to {verb} | | (?:stop|quit)
  (?P<o>(?P<verb>apologi[sz]ing|guessing|rambling|lecturing|morali[sz]ing|swearing|repeating yourself))
 (?: (?:to me|ever))?
asks to stop with | asks to stop with {o} | stops | (?:stop|enough) with (?:the|your|all the|all these
 |those|these) (?P<o>.+?)
takes back | no longer asks for {o} | stops | (?:you can )?{FORGET} (?:about )?(?:what i
  (?:said|told you|asked|asked for)|(?:the|that|my) (?:thing|rule|bit|instruction|request)) (?:about|on)
  {NOT}(?:my |the |that |your )*(?P<o>.+?)(?: only)?
takes back | no longer asks for {o} | stops | (?:you can )?(?:forget|ignore|disregard) (?:about |my |the |that
  |your )+(?P<o>.+?)(?: only)? (?:rule|thing|instruction|request|preference|bit|stuff|restriction)s?
takes back | no longer asks for {o} | stops | (?:you can )?(?:drop|scrap|lift|cancel) (?:my |the
  |that |your )+(?P<o>.+?)(?: only)? (?:rule|instruction|restriction)s?
takes back | no longer asks for {o} | stops | (?:the|that|my) (?:rule|instruction|restriction) (?:about
 |on) {NOT}(?:my |the |that |your )*(?P<o>.+?) (?:no longer|does not|is not|is no longer) (?:apply|applies
 |counts?|stands?|holds?|needed|valid)
takes all back | no longer asks for {o} | stops | (?:forget|ignore|disregard) (?:about |my |the |that |your
  )+(?P<o>.+?)(?: only)?
asks never to use | asks never to use {o} | | no more {STYLE}
asks never to use | asks never to use {o} | marked | no {STYLE}(?: either)?
asks never to use | asks never to use {o} | | no {STYLE} (?:in|with) (?:your|any|all|all your) {ANSWERS}
asks for no | asks for no {o} | | no (?P<o>(?:more )?(?:questions|reminders|suggestions|small talk) {TIMES})
asks never to use | asks never to use {o} | | i (?:do not|never) (?:need|want) (?:any |your |the )?{STYLE}
asks never to use | asks never to use {o} | | (?:do not use|stop using) (?:any )?(?P<o>{SIGNS}(?: (?:and|or)
  (?:any )?{SIGNS})*)(?: in .+)?
asks never to {verb} | asks never to {verb} {o} | | do not {OFFER} (?:me )?(?P<o>(?:any )?{FOOD}(?: (?:and|or)
  {FOOD})*)
wants answers with | wants answers with {o} | marked | (?P<o>code (?:first|only)|examples first|sources
  |bullet points|bullets|lists|tables|examples)
wants {verb} | wants {verb} {o} | marked | (?P<verb>dates|times|prices|temperatures|distances|weights|amounts)
  (?P<o>like \S*\d\S*|(?:in|as) (?:\S+ )??(?:dollars|euros?|pounds|yen|francs|sterling|miles|km|kilomet\S+
  |met\S+|feet|kg|kilos|celsius|fahrenheit|24h|24-hour|iso|usd|eur|gbp))
wants it to be | wants it to be {o} | marked | make (?:it|them) (?P<o>.+?)
asks for no | asks for no {o} | reasoned | no (?P<o>.+?)
asks always to {verb} | asks always to {verb} {o} | | always {DO} (?P<o>.+?)
asks always to {verb} | asks always to {verb} {o} | marked | {DO} (?P<o>.+?)
"""


def _order(row: str) -> Order:
    relation, said, flags, pattern = (part.strip() for part in row.split(" | ", 3))
    for name, group in _GROUPS.items():
        pattern = pattern.replace(f"{{{name}}}", group)
    return Order(relation, said, frozenset(flags.split()), lazy_regex(f"(?:{pattern}){_END}"))


ORDERS: Final = tuple(
    _order(row.replace("| |", "|  |")) for row in _ROWS.strip().replace("\n ", "").splitlines()
)
"""In the order in which they are tried."""
LEAD: Final = lazy_regex(
    "(?:"
    + any_of(
        r"""
        please | pls | plz | kindly | and | also | so | but | oh | ok | okay | hey | hi | now | then | just
        | by the way | btw | one more thing | in general | can you | could you | would you | will you
        | you should | you must | i (?:want|need|would like|would prefer|prefer|expect) you to | i want
        | make sure(?: that)?(?: you| to)? | be sure to | try to | remember to | do not forget to
        | if possible | thanks | great | actually
        """
    ).removesuffix(")")
    + f"|{HERE}|{_NOW_ON}) )*"
)
"""Stands before an instruction, and adds nothing."""
STANDS: Final = lazy_regex(
    rf"\b(?:always|never|{_NOW_ON}|in general|(?:every|each) time(?= (?:i|we|you)\b|$)|at all times"
    r"|until i (?:say|tell)"
    r"|(?:all|every|each|any) (?:your |my |of your )?(?:answers?|repl(?:y|ies)|responses?|messages?)"
    r"|whenever (?=i\b|we\b|you\b)|not the \w+ way(?: round| around)?"
    r"|that is how i (?:think|work|read|learn))\b"
)
"""Says that an instruction is not for one answer alone."""
STANDS_HERE: Final = lazy_regex(rf"\b{HERE}\b")
"""Says that an instruction stands in the place of work: "in this repo use pnpm"."""
SAID_HERE: Final = lazy_regex(rf"\b{HERE}\b|\w here$")
"""The same, and that one which stands anyway does so there: "never push to main here"."""
USING: Final = listed("use prefer choose")
"""What stands in a place of work without "always": "run the tests in this repo" is asked once."""
STANDS_FOR_ANSWERS: Final = lazy_regex(
    r"\b(?:again|any ?more|any longer|(?:with|to) me|i (?:want|would like) you to)\b"
)
"""The same of the language and the length of answers."""
_CUE: Final = lazy_regex(
    rf"\b(?:always|n?ever|don['\u2019]?t|do not|stop|{_NOW_ON})\W+(?:\w+\W+){{0,2}}?(?:be|{DO}|{_DOING}"
    rf"|{_PRIVATE})\b|\b{DO}\b[^.!?\n]{{0,80}}\b(?:{_NOW_ON}|any ?more|again|with me)\b"
    rf"|\b(?:{ANSWER}|switch|go|change|{ANSWERS})\b[^.!?\n]{{0,40}}\b{TONGUE}\b"
    rf"|\b(?:keep|limit|want|need|like|prefer|give|should|must|can|may)\b[^.!?\n]{{0,30}}\b{ANSWERS}\b"
    rf"|\b{ANSWERS} (?:can|may|should|must) be\b|\bkeep it\b|\b(?:no more|(?:stop|enough) with|calls? me"
    r"|be(?:ing)? called)\b"
    rf"|\b(?:words?|sentences?|lines?|paragraphs?|points|bullets)\b.{{0,20}} (?:answer|reply|response)\b"
    rf"|\b{DO} (?:every|each|all) (?:\w+ )?(?:{ANSWERS}|reply)\b"
    r"|\b(?:no|use|any) emojis?\b|\b(?:drop|scrap|lift|cancel) (?:the|that|my|what)\b|\brule (?:about|on)\b"
    r"|\b(?:remember|forget|ignore|disregard|keep in mind|metric|imperial"
    rf"|celsius|fahrenheit|spelling|you to be)\b|\b{HERE}\b"
    rf"|(?:\bso|,),? (?:(?:please|pls|plz) )*(?:no|don['\u2019]?t|do not|avoid|use|keep)\b"
    r"|\bno [^.!?\n]{1,40} (?:please|pls|plz)\b|, ever\b"
    r"|\b(?:(?:whenever|when|if) (?:i|we|you)|unless i)\b"
    rf"|\byou (?:can|may) {DO}\b[^.!?\n]{{0,80}}\bnow\b"
    r"|\bno (?:exclamation marks|bullet points|jargon|slang|fluff|filler|small talk"
    r"|(?:more )?(?:questions|reminders|suggestions))\b|\bonly (?:speak|answer|reply|write)\b"
    r"|\b(?:rubbish|nonsense|crap|waffle|guff|bollocks|malarkey)\b|\bquit \w+ing\b"
    r"|, every time\W*$|\bnot the \w+ way\b"
    r"|\bthat['\u2019]?s how i\b|\b(?:need|want) (?:any |your |the )?(?:disclaimers|praise|fluff|filler"
    r"|preambles?|explanations|apologies|small talk)\b",
    re.IGNORECASE,
)
_HINTS: Final = tuple(
    divided(
        """
        always | never | t ever | quit | rubbish | nonsense | crap | waffle | guff | bollocks | malarkey
        | from now | from here | going forward | henceforth | in future | the future
        | default | stop | any more | anymore | again | with me | keep it | answers | replies | responses
        | switch | metric | imperial | celsius | fahrenheit | spelling | you to be | no more | call me
        | calls me | no emoji | use emoji | use any emoji | t suggest | t recommend | t propose | t offer
        | t cook | t serve | t include | t give
        | drop the | drop my | drop that | scrap | lift the | cancel the | rule about | rule on
        | be called | being called | remember | forget | ignore | disregard | in mind
        | per answer | per reply | per response | each answer | each reply | an answer | limit | mention my
        | up my | about my | stop with | enough with | every answer | every reply
        | all answers | every response | even when | even if
        | this repo | this project | this code | this app | this service | this package | this module
        | current repo | current project | here | so no | so please | so pls | so don | so do not | so avoid
        | so use | so keep | , no | , don | , do not | please no | please don | pls no | pls don | avoid
        | if you | when you | if i | when i | if we | when we | unless i
        | no exclamation | no bullet | no jargon | no slang | no fluff | no filler | no questions
        | no reminders | no suggestions | t ask | t send | t remind | t book | t schedule | t plan
        | only speak | only answer | only reply | only write
        | you can | you may | , ever | whenever | every time | not the | how i | t need | t want
        | t mention | t tell | t say | t show | t talk | t bring | not mention | not tell | not say
        | please, | pls, | plz, | please - | pls - | please cos | please because | pls cos | pls because
        """
    )
)
"""A part of what ``_CUE`` finds, looked for first because that is faster."""


STYLES: Final = (
    "answer language", "answer length", "units", "temperature unit", "asks always to be",
    "asks never to use", "wants answers with",
)  # fmt: skip
"""Relations of how to answer."""
OF_ANSWERS: Final = (*(one for one in STYLES if one != "asks never to use"), "is called", "spelling")
"""Relations of how to answer and address a person, whatever the talk is about."""
OF_SIGNS: Final = tuple(divided("emoji | emojis | exclamation marks | slang | jargon | filler | praise"))
"""What "asks never to use" is of the same kind with."""


def may_instruct(text: str) -> bool:
    """Whether words of a standing instruction are in a text.

    >>> may_instruct("Never suggest pork."), may_instruct("I never eat pork.")
    (True, False)
    """
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS) and _CUE.search(text) is not None
