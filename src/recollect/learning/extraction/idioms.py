"""Turns of phrase: verbs that mean something else, or nothing that lasts, before these words.

Objects that only point at something ("it", "this", "your ...") are told elsewhere and need no row. Chosen
by hand.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from recollect.learning.listing import listed

_TALK: Final = r"""
(?:not )?to (?:say|see|hear|think|know|ask|break|bother|be|admit|thank|add|point|share|tell|brag|interrupt
 |disappoint|go|have|get|do|make|talk|meet|show|take|check|join|come|start|give|help|try|keep|find|look|put
 |bring|imagine|believe|note|mention|discuss|understand|confirm|clarify|propose|suggest|use|schedule|set
 |explore|learn more|know more|hear more|implement|ensure)|(?:seeing|hearing|knowing) (?:you|your|how|that
 |all|this|the|them|him|her|people|everyone|about|from|such|so)|(?:talking|chatting|working|collaborating
 |meeting|speaking|catching up) (?:to|with) (?:you|her|him|them)|being (?:able|here|part|with you)
 |having (?:you|a (?:chat|laugh|good))|spending time
"""
"""Behind a verb of taste: talk of the moment, "I love to hear that"."""
_TASTES: Final = listed("love like hate enjoy adore dread fear prefer dislike crave relish")
_ROWS: Final = r"""
be: all (?:ears|thumbs|in|set|good|for|about)|dying|in (?:the same boat|hot water|over my head|trouble|luck
 |charge|love|heaven|the doghouse|the loop|the dark|awe|a (?:rut|pickle|mess|hurry|rush|bind|good place
 |meeting)|shock|need|pain|tears)|over the moon|on cloud|under the weather|on the (?:ball|fence|same page
 |edge|way|phone|bus|train|go|road|lookout)|a broken record|an open book|head over heels|down
 |out of (?!work)|up (?:to|for)|fed up|sick|on (?:fire|it|board|top|a (?:roll|call|break))|no (?:stranger
 |longer sure)|not myself|made of|pulling|drowning|losing|the (?:same|one|only one)|toast
live: in (?:strange|interesting|hard|difficult|uncertain) times|in an? (?:society|world|bubble)|for|to|up to
 |by the|the (?:dream|moment)|my (?:best|life|dream)|life|in (?:the (?:moment|now|past|present)|fear|hope
 |denial|pain|sin|poverty|luxury|peace|harmony|silence|comfort|style|chaos|misery|solitude|isolation|darkness
 |(?:my )?(?:sweatpants|sweats|pyjamas|pajamas|pjs|jeans|leggings|hoodies|boots|sneakers)|a world|the world)
play: the devil|devil's|dumb|along|favou?rites|(?:an? )?(?:\S+ )?(?:role|part|game|trick|joke|catch
 |character)|hard|second fiddle|with (?:fire|the|my hair)|hooky|to win|around|for (?:keeps|time)|my (?:part
 |cards)|the (?:part|role|game|victim|fool|hero)
wear: many|several|different|my heart|the (?:trousers|pants)|off|out
work: my|like a|wonders|out (?:well|fine|great|in the end)|on (?:the|my|getting|being|improving)|for me
 |through|around|towards?|up|harder|together|well|as (?:intended|expected)|fine|hard|to|best under|magic
drive: (?:\S+ ){0,2}(?:crazy|mad|nuts|insane|wild|away)|a hard|home|by|off|up|past
keep: an? (?:eye|open|close|low|straight|promise|secret|lookout)|up|in (?:mind|touch)|going|track|calm|on
 |busy|coming|my (?:eye|eyes|mind|word|promise|head|fingers|cool|spirits|distance|chin)|fit|pushing|\w+ing\b
 |from|quiet|moving|everything|things|company|the (?:faith|peace|change|conversation|momentum|positive)
run: into|out|late|away|errands|the (?:risk|show|code|script|program|command|tests?|query|app|server|file
 |following|above|loop)|in (?:the family|circles)|circles|on empty|over|through|across|from|up|by|my (?:code
 |script|program|app|mouth|tests?)|low|to (?:the|get)|python|npm|pip|git|docker|a (?:test|query|script
 |command|program|risk|fever|temperature|bath|diagnostic)
speak: my mind|up|for|too soon|of|as|volumes|to|with|out|about|from|highly
read: between|the room|minds?|about (?:the|how)|through|up|over|somewhere|in the|an article|a (?:book
 |article|post|study|paper) (?:about|on|that|which|where|recently)
cook: the books|up|something|dinner$|lunch$
cut: corners|to the|off|my (?:losses|finger|hair)|down|up|in|through
draw: the line|a blank|blanks|conclusions?|attention|on|inspiration|strength|from|near
paint: a (?:picture|grim|bleak)|the town
grow: up|on|tired|apart|fond|closer|as|so|from|into|to|stronger|my (?:business|audience|network)|together
 |through|old|weary
make: sense|sure|(?:much |any |good )?progress|an? (?:point|mistake|difference|living|list|decision|note|plan
 |wish|call|mess|big|effort
 |change|choice|move|request|promise|suggestion|post|video|copy|deal|new|conscious|sandwich|backup|lot|fool)
 |up|do|mistakes?|progress|fun|my (?:day|bed|way|point|case|mind|peace|life|heart)|time|room|plans|friends
 |ends|memories|people|the (?:most|best|effort|time|decision|switch|bed|call|move|change|cut|world)|use|new
 |every|everyone|things?|good|money|changes|amends|love|peace|connections|dinner$|such|better|out
take: an? (?:look|break|breath|chance|seat|deep|moment|step|nap|while|shower|minute|risk|trip|toll|lot|day
 |bit|picture|photo|quick|short|long|closer|stand|screenshot|peek|guess|rain ?check|few|couple|leap|bite
 |vacation|second)|care|my time|parts?|place|pride|off|over|note|into|advantage|time|control|pictures?
 |photos?|responsibility|comfort|inspiration|the (?:time|plunge|blame|lead|opportunity|chance|first|next
 |leap|cake|day|hint|liberty|point|same|following)|on|up|away|back|action|longer|forever|every|steps|to
 |for granted|after|in|out|risks?|breaks?|baby steps|full|shape|credit|seriously|small|two|lots
go: ahead|back|on|with|through|over|for|crazy|nuts|wrong|out|all|down|up|about|by (?:the|quickly|fast)|into
 |from|home|first|off|and|see|get|way|far|too|away|around|along|after|against|deeper|further|where|wherever
 |in|under|viral|blank|to (?:see|the (?:site|page|link|url|settings|menu|next|website|doctor|hospital)|bed$
 |sleep$|show|a (?:site|page|doctor))|a (?:long|bit|little)|so|easy|big|live|beyond|public|numb|right
 |straight|non-stop|great|well|fine
follow: my (?:heart|dreams?|passion|gut|instincts?)|up|through|along|in|what|instructions|steps|a (?:recipe
 |few|tutorial|guide)
watch: out|over|my (?:step|back|mouth)|as|how|a (?:movie|film|video|show)$
pay: attention|the price|off|tribute|my respects|close|homage|heed|back
lift: my (?:spirits?|mood)|up
use: a lot|an? \S+(?: \S+)? to|my (?:own|skills|experience|time|voice|platform|imagination|art|creativity
 |story|knowledge)|as|to|up|fewer|in (?:this|the)
know: (?:it|what|that|how (?!to\b)|who|why|where|when|if|for|i|we|there|of|about|from|exactly|better|all
 |first-?hand|deep|my (?:way|limits|place|stuff|worth|strengths)|a (?:lot|little(?: about|$)|thing|few|guy
 |place|girl|great|good|person|man|woman)|so|not|whether|enough|people|many|than|life|much|yet|will|is|would
 |can|was|are|as|but|right|no|well)
drink: to|in|up|too|a (?:coffee|beer|glass|cup|tea)$
eat: my (?:words|heart|hat|feelings)|crow|humble|up|dinner$|lunch$|a horse|dirt
write: about|my (?:thoughts|feelings|own)|off|back|an? (?:function|query|script|test|program|email|letter
 |class|loop|code|method|post|message|essay|report|review|response|piece)|code|tests|for|in the|down|out
care: to|if|what|that|less|how|so|enough|more|for$
sleep: on it|in$|like a|over|through|with
wake: up (?:and|to)|and
rise: to|up|above
stand: by|up|with|for|out|in|on|corrected|to
walk: away|in|into|through|by|past|out|up|the (?:talk|line|plank)|over|down|on
fly: by|off|through|in$|out|solo|into|over|under|high|the (?:flag|nest)
throw: up|away|out|in|off|a (?:fit|party|error|tantrum)|an|exceptions?|myself
fix: up|dinner|things up
build: on|up|my (?:confidence|network|skills|brand|strength|resume|portfolio|own)|bridges|trust|a (?:strong
 |solid|life|better|community|relationship|routine|model|class|function)|strength|confidence|resilience
 |connections|relationships
serve: as (?:a reminder|an)|the purpose
measure: up
weigh: the|in|my|up|on|heavily
save: time|face|lives|my (?:life|work|changes|breath|progress)|as|money on|a (?:lot|copy|file|seat|spot|ton)
 |up$|the (?:day|file)
tend: (?!to)|to (?:agree|think|believe|say|be right|be honest|you)
believe: (?!in )|in (?:the (?:power|importance|process)|what|my|our|giving|doing|making|always|being|taking)
trust: we|i|my (?:gut|instincts?)
support: the|my (?:friends?|family|loved)|causes?|people
share: with|some|more|a (?:lot|love|few|story|photo|picture|moment|bit|passion|bond|similar|common)|in
 |stories|love|information|photos|experiences|what|things|your|my (?!(?:flat|room|house|apartment|home|bed
 |office|birthday))|the (?:same|love|story|link|code|details|results)
ride: out|the wave|on|off|shotgun
cycle: through
sign: up|off|in
shoot: for|off|up|an? (?:message|text|email)
volunteer: to (?:do|go|be|help)
listen: to (?:my (?:body|heart|gut|instincts|inner)|what|people)|up|carefully|and|closely
attend: to|the (?:event|meeting|conference|show|concert|party|wedding|workshop)
lead: to|the way|a (?:busy|double)|by|into|on|up
train: to be|my (?:model|brain|mind)|a model
study: the (?:code|docs|map|menu|picture)
practice: what i|patience|gratitude|self
practise: what i
carry: on|out|over|with|a lot|my (?:story|weight|past)|memories|forward|myself
clean: up|out|my (?:act|data)
feed: off|into|on|my (?:soul|mind|curiosity)
trade: off|places|in
own: up|the (?:place|room|night|mistake)
identify: (?!as)
suffer: (?!from)
belong: (?!to)|to the past
subscribe: (?!to)|to the (?:idea|theory|view|notion|belief)
shop: around|till|for (?:the|a|my)
plant: an?|the|some|my|seeds?|ideas
skip: over|to|ahead|a (?:line|step|beat)|the
spin: around|out|up
rent: out
invest: (?!in)|in (?:my(?:self)?|quality|good)
donate: my old
celebrate: with|by|small|our|every|life|my (?:birthday|win|success)
manage: to|my (?:time|stress|emotions|expectations|expenses|anxiety|budget|finances|state|schedule|workload)
 |the (?:stress|state|time)|expectations|stress|well|without|fine
collect: my thoughts|data|dust|information
camp: out
fish: for compliments
hunt: for|down
dance: around
sing: along|in the rain|praises
swim: against|through
jog: my memory
climb: the (?:ladder|walls)|out|down|over|into|onto
surf: the (?:web|net|internet)
exercise: caution|my rights?|restraint|patience
stretch: the truth|my|myself
brew: up|a (?:cup|pot)
vote: that|we|to
pray: that|for|i
nurse: a (?:drink|beer|hangover)
struggle: (?!with )|with (?:the|these|understanding|getting|how|my (?:code|script))
guide: myself
gamble: on
deliver: on
interpret: the
develop: (?:a|an) (?!living)|the|my|new|strategies|skills
perform: well|an?|better|in front|at (?:my|a|the)|on stage
act: as|like|on|out|up|upon|now|fast|surprised
design: a (?:database|system|schema|model|function)
produce: an? (?:error|result|output|list)
budget: for
operate: under
maintain: that|my|good|balance|an?
have: a (?:lot|bone|frog|blast|ball|way with|say|go|point|crush|cow|look|seat|word|feeling|hunch|sinking)
 |(?:my|his|her) (?:hands|doubts|reasons|eye|work cut|back|say|moments|own)|two left|butterflies|itchy
 |no (?:idea|clue|choice|words|time|problem|doubt|plans|reason|regrets|complaints|way|interest|memory)
 |bigger fish|cold feet|second thoughts|mixed feelings|faith in|to|eyes (?:for|on)|nothing|high hopes
 |too much on|what it takes
"""
"""A verb in a line, and a regular expression of what stands behind it. A line that begins with a blank goes
on from the one before, without that blank."""


def _patterns() -> Mapping[str, re.Pattern[str]]:
    rows = dict(row.split(": ", 1) for row in _unfolded(_ROWS).splitlines())
    rows |= dict.fromkeys(_TASTES, _unfolded(_TALK))
    return MappingProxyType({verb: re.compile(rf"(?:{row})(?:\b|$)") for verb, row in rows.items()})


def _unfolded(text: str) -> str:
    return text.strip().replace("\n ", "")


_PATTERNS: Final = _patterns()


def is_idiom(verb: str, behind: str) -> bool:
    """Whether a verb before these words says nothing that lasts.

    >>> is_idiom("live", "for fridays"), is_idiom("live", "in rome"), is_idiom("love", "to hear that")
    (True, False, True)
    """
    pattern = _PATTERNS.get(verb)
    return pattern is not None and pattern.match(behind) is not None
