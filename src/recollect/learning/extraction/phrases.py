"""Groups of phrases that rules name in braces. Chosen by hand, of plain words in common use."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from recollect.learning.extraction.people import PETS
from recollect.learning.extraction.things import INSTRUMENTS
from recollect.learning.listing import any_of, either, listed
from recollect.learning.reconcile.relations import TOOLS

_ONES: Final = any_of("one | two | three | four | five | six | seven | eight | nine")
_NUMBER: Final = (
    r"(?:\d{1,3}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
    rf"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]?{_ONES})?|{_ONES})"
)

_UNNAMED: Final = r"(?!.*\b(?:in|of|at|near|outside)\b(?! \d))(?:an?|my|our|their) (?:\S+ ){0,4}?"
"""Stands before somewhere to live whose place is not told."""
_HOUSES: Final = any_of(
    """
    flat | apartment | house | home | room | studio | cottage | cabin | condo | bungalow | townhouse
    | duplex | loft | mansion | farmhouse | farm | building | block | street | dorm | dormitory | hostel
    | shelter | car | van | caravan | campervan | trailer | rv | boat | houseboat | tent | commune
    | basement | attic | place
    """
)
"""Somewhere to live within a town."""

GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "NUMBER": _NUMBER,
        "UNIT": any_of(
            r"""
            minutes? | hours? | days? | km | miles? | met(?:er|re)s? | cm | feet | foot | ft | inches
            | pages? | percent | points? | of | to | out | and | or | sure | in | on | kg | kilos? | blocks?
            | steps? | m | am | pm | euros? | dollars? | people | times | lbs? | pounds | o'clock
            | years? (?:in|into|ago|away) | weeks? (?:in|into|away|along) | months? (?:in|into|away|along)
            """
        ),
        "DIET": any_of(
            """
            vegan | vegetarian | veggie | pescatarian | flexitarian | fruitarian | teetotal | teetotaler
            | teetotaller | omnivore | carnivore | plant-based | plant based | keto | kosher | halal
            | gluten-free | dairy-free
            """
        ),
        "CONDITION": any_of(
            r"""
            (?:type (?:1|2|one|two) )?diabetic | prediabetic | asthmatic | coeliac | celiac | anaemic
            | anemic | epileptic | autistic | dyslexic | dyscalculic | dyspraxic | bipolar | schizophrenic
            | neurodivergent | neurotypical | colou?r[- ]?blind
            | (?:legally |partially )?blind(?: in .+ eye)? | (?:partially |profoundly )?deaf(?: in .+ ear)?
            | hard of hearing | short-?sighted | near-?sighted | far-?sighted | long-?sighted
            | visually impaired | disabled | paraplegic | quadriplegic | infertile | menopausal
            | perimenopausal | (?:\S+ (?:weeks|months) )?pregnant | hypertensive | immunocompromised
            | haemophiliac | hemophiliac | narcoleptic | claustrophobic | agoraphobic | arachnophobic
            | germaphobic | double-jointed | in remission | in recovery | in a wheelchair | wheelchair-bound
            | sober | clean | vaccinated | unvaccinated | overweight | underweight | obese | anorexic
            | bulimic | hiv[- ]positive | chronically ill | terminally ill
            """
        ),
        "TRAIT": any_of(
            """
            left[- ]handed | right[- ]handed | ambidextrous | gay | bi | bisexual | straight | lesbian
            | queer | pansexual | asexual | trans | transgender | non-?binary | genderfluid | polyamorous
            | monogamous | adopted | jewish | muslim | christian | catholic | protestant | lutheran
            | orthodox | mormon | hindu | buddhist | sikh | atheist | agnostic | religious | spiritual
            | secular | anglican | methodist | presbyterian | quaker | pagan | wiccan | baptist | bilingual
            | trilingual | multilingual | tall | short | bald | blonde? | ginger | brunette | black | white
            | mixed[- ]race | biracial | latino | latina | hispanic | homeschooled | self-taught | widowed
            | orphaned | naturali[sz]ed | stateless
            """
        ),
        "CHARACTER": any_of(
            """
            introverted | extroverted | shy | outgoing | organi[sz]ed | disorgani[sz]ed | punctual
            | stubborn | impatient | sentimental | competitive | frugal | forgetful | clumsy | superstitious
            | talkative | messy | tidy | lazy | conservative | liberal | left-wing | right-wing
            | progressive | apolitical | nocturnal | old-fashioned | easygoing | easy-going | risk-averse
            | ticklish | ambitious | hardworking | hard-working | reserved | sociable | tone[- ]deaf
            | musical | athletic | unathletic | tech-savvy | camera-shy | house-trained | housebroken
            | neutered | spayed
            """
        ),
        "GOOD": any_of(
            """
            good | bad | great | terrible | hopeless | horrible | awful | excellent | decent | skilled
            | better | best | worst | rubbish | useless | proficient | experienced | talented | brilliant
            | okay | ok | expert | adept | mediocre | competent | strong | weak | rusty | gifted | lousy
            """
        ),
        "FIELD": any_of(
            r"""
            marketing | sales | finance | banking | tech | it | hr | human resources | accounting
            | education | healthcare | health care | insurance | logistics | law | construction | retail
            | hospitality | advertising | publishing | journalism | media | real estate | pr
            | public relations | research | academia | government | consulting | engineering | manufacturing
            | farming | agriculture | film | television | fashion | catering | procurement | cyber ?security
            | biotech | pharma | the (?:army | navy | air force | military | marines | police
            | civil service | public sector | private sector | \S+ (?:industry|business|trade|sector))
            """
        ),
        "SCHOOL": any_of(
            r"""
            (?:my|his|her|their|the) (?:first|second|third|fourth|fifth|sixth|final|last|freshman
            |sophomore|junior|senior|gap|penultimate) (?:year|semester|term)(?: .+)?
            | (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|first|second|third|fourth|fifth|sixth|seventh|eighth
            |ninth|tenth|eleventh|twelfth) grade
            | (?:year|grade|class) {NUMBER}
            | (?:high|middle|primary|elementary|secondary|grad|graduate|med|medical|law|business|art
            |nursing|vet|boarding) school
            | college | university | uni | kindergarten | preschool | nursery | sixth form
            """
        ).replace("{NUMBER}", _NUMBER),
        "MARITAL": any_of(
            r"""
            (?:happily |recently |newly |freshly )?(?:married|divorced|single|engaged|widowed|separated
            |unmarried)
            | in an? (?:\S+ ){0,2}relationship
            """
        ),
        "JOBLESS": any_of(
            r"""
            (?:semi-|early )?retired | self[- ]employed | unemployed | jobless | out of work | out of a job
            | between jobs | freelance | a stay[- ]at[- ]home \S+
            | on (?:maternity|paternity|parental|sick|medical|disability) leave
            | on a (?:sabbatical|gap year|pension) | on (?:disability|benefits|sabbatical)
            """
        ),
        "POSITION": any_of(
            r"""
            (?:the )?(?:proud )?(?:oldest|eldest|youngest|middle|second|third|only|first)(?: (?:child
            |sibling|one|son|daughter|girl|boy|kid))?(?: (?:of|out of|in|among) .+)?
            | an only child | one of {NUMBER} (?:children|siblings|kids|sisters|brothers) | a twin | twins
            """
        ).replace("{NUMBER}", _NUMBER),
        "MEDICINE": any_of(
            r"""
            the pill | insulin | medication | meds | antidepressants? | antibiotics | statins? | metformin
            | blood thinners | beta[- ]blockers | chemo | dialysis | ssris? | hrt | steroids | testosterone
            | birth control | lithium | keto | (?:an? )?(?:\S+ )?diet | \d+ ?mg of .+
            """
        ),
        "SYSTEM": any_of(
            r"""
            windows | mac ?os | os ?x | linux | ubuntu | debian | fedora | arch | ios | ipados | android
            | chrome ?os | freebsd | nixos | an? (?:mac\S*|pc|iphone|(?:windows|linux|android) \S+)
            """
        ),
        "TOOL": either(
            TOOLS
            | listed(
                r"""
                linux ubuntu debian fedora windows macos ios android nixos vim neovim emacs vscode pycharm
                intellij sublime mysql mariadb mongodb redis aws azure gcp kubernetes docker podman terraform
                ansible c\+\+ c# r julia matlab elixir clojure nextjs next.js nodejs node.js deno github
                gitlab bitbucket jira notion obsidian slack discord whatsapp telegram chrome firefox safari
                brave gmail protonmail zsh bash poetry uv npm pnpm yarn jest jax excel figma
                """
            )
        ),
        "NO_EMPLOYER": any_of(
            r"""
            (?:the )?(?:nights?|weekends?|home|dawn|dusk|noon|midnight|christmas|heights?|sea|work)
            | (?:a|an|my|the) (?:\S+ )?(?:desk|table|computer|laptop|pace|loss|distance|office|living)
            | (?:my|our|their) own (?:pace|risk|desk)
            | (?:(?:about|over|almost|nearly|only|just|around|up to|more than|the|last|past|an?|many|several
            |some|few|couple|of|half|{NUMBER}) )+(?:hours?|minutes?|days?|weeks?|months?|years?|decades?)
            | \d[\d:.]*(?: ?[ap]m)? | hours | days | weeks | months | years | free | fun | nothing | peanuts
            | money | pay | food | tips | pleasure | long | a while | now | times | full (?:speed|capacity)
            | random | (?:minimum|good|low|little|less|more) (?:wages?|pay|money)
            | (?:the )?(?:money|fun of it|love of it)
            """
        ).replace("{NUMBER}", _NUMBER),
        "A_HOUSE": f"{_UNNAMED}{_HOUSES}",
        "A_DWELLING": _UNNAMED
        + any_of(
            f"""
            {_HOUSES} | village | town | city | suburb | neighborhood | neighbourhood | area | country
            | region
            """
        ),
        "A_POST": r"(?:(?:an?|the|my|our|another) (?:\S+ ){0,2}?)?"
        + any_of(
            """
            team | department | division | squad | group | role | position | job | company | project | shift
            | management | sales | marketing | engineering | finance | leadership | operations | hr
            | part-time | full-time
            """
        ),
        "FANCY": any_of(
            """
            into | fond of | keen on | crazy about | mad about | nuts about | obsessed with | addicted to
            | passionate about | interested in | hooked on | partial to | enthusiastic about | fascinated by
            | fascinated with | devoted to | big on
            """
        ),
        "KINSHIP": any_of("child | baby | kid | twins | triplets | son | daughter | boy | girl | grandchild"),
        "INSTRUMENT": either(INSTRUMENTS),
        "PET": either(PETS),
        "HOME": any_of(
            """
            house | home | flat | apartment | cottage | cabin | car | van | boat | motorcycle | motorbike
            | e-bike | bike | campervan | farm | land | condo | truck | bakery | restaurant | vineyard
            | caravan
            """
        ),
        "DEGREE": any_of(
            r"""
            degree | phd | doctorate | masters | master's | mba | bachelor's | bachelors | diploma
            | certificate | certification | licen[cs]e | scholarship | black belt | citizenship | green card
            | residency
            """
        ),
        "GROUP": any_of(
            """
            army | navy | air force | marines | gym | club | team | choir | band | orchestra | union | party
            | church | league | company | startup | board | society | community | police | force | council
            | committee | quartet | trio | fraternity | sorority | cast | faculty | group | clubs
            """
        ),
        "DISEASE": any_of(
            """
            migraines? | headaches | motion sick(?:ness)? | sea ?sick | car ?sick | air ?sick | hay fever
            | hives | panic attacks | nosebleeds | heartburn | rashes | vertigo | nightmares | sunburnt?
            | stage fright
            """
        ),
        "LIFE": any_of(
            r"""
            move | become | retire | study | get married | have (?:kids|children|a baby) | graduate | buy a
            | start an? | open an? | adopt | emigrate | qualify | publish
            | do an? (?:\S+ )?(?:phd|masters|degree|internship|apprenticeship)
            | be an? (?:dad|mom|mum|father|mother|parent|grandmother|grandfather)
            """
        ),
        "CHANGING": any_of(
            """
            moving | becoming | retiring | getting (?:a|married|divorced) | changing (?:jobs|careers)
            | buying an? | starting an? | going back to | switching to | quitting | adopting | studying
            | selling | applying | emigrating | having (?:kids|children|a baby)
            """
        ),
        "DETAIL": (
            r"(?=(?: (?:last|two|three|in \d{4}|a year|\d+ years|with|for|since|near|by|until|because|after"
            r"|as|from|during|who|at the|on the|right|about|where|while|together|and)\b.*)?$)"
        ),
    }
)
