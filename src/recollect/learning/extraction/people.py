"""People, animals, and what someone can be: kin, trades, origins.

Chosen by hand, of plain words in common use.
"""

import re
from typing import Final

from recollect.learning.listing import listed

PEOPLE: Final = listed(
    """
    mother mom mum mam mama mommy mummy father dad papa pop daddy parents sister sisters brother brothers
    sibling siblings stepmother stepmom stepmum stepfather stepdad stepson stepdaughter stepsister
    stepbrother half-sister half-brother son sons daughter daughters child children kid kids baby toddler
    twins twin triplets firstborn eldest youngest wife husband spouse hubby wifey partner fiance fiancé
    fiancee fiancée girlfriend boyfriend ex ex-wife ex-husband ex-girlfriend ex-boyfriend grandmother
    grandma granny gran nan nana nanna grandfather grandpa grandad granddad gramps grandparents grandson
    granddaughter grandchildren grandkids grandchild aunt auntie aunty uncle cousin cousins niece nephew
    nieces nephews mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law
    in-laws godmother godfather godson goddaughter friend friends bestie buddy mate pal roommate roommates
    flatmate flatmates housemate housemates neighbor neighbour neighbors neighbours landlord landlady
    tenant tenants colleague colleagues coworker coworkers co-worker co-workers boss manager mentor
    supervisor advisor adviser teacher professor tutor coach trainer instructor therapist psychologist
    psychiatrist doctor gp dentist physio physiotherapist midwife nanny babysitter assistant secretary
    intern employee employees client cofounder co-founder bandmate bandmates teammate teammates penpal
    penfriend lawyer hairdresser family accountant guardian ancestors great-grandmother great-grandfather
    """
)
PETS: Final = listed(
    """
    dog dogs cat cats puppy puppies kitten kittens rabbit rabbits bunny bunnies hamster hamsters parrot
    parrots budgie budgies goldfish fish turtle turtles tortoise tortoises snake snakes lizard gecko
    iguana horse horses pony ponies ferret ferrets rat rats mouse mice gerbil gerbils chinchilla hedgehog
    chicken chickens hen hens goat goats sheep pig pigs cow cows donkey donkeys duck ducks bee bees pet
    pets greyhound labrador lab retriever poodle beagle husky dachshund corgi terrier collie shepherd
    spaniel pug bulldog rottweiler chihuahua dalmatian whippet schnauzer dobermann doberman malamute akita
    mastiff pitbull rescue mutt tabby siamese persian ragdoll bengal cockatiel cockatoo macaw canary
    canaries finch finches tarantula axolotl bird birds stallion mare llama llamas alpaca alpacas parakeet
    """
)
"""Animals, and the kinds of dogs, cats and birds that people name."""
GROUPS: Final = listed("team company startup band employer school shop")
RELATIVES: Final = PEOPLE | PETS | GROUPS
"""What "my" stands before to make somebody, or a group, of whom something can be said."""
PLURAL: Final = listed(
    """
    parents sisters brothers siblings sons daughters children kids twins triplets grandparents
    grandchildren grandkids cousins nieces nephews in-laws friends roommates flatmates housemates
    neighbors neighbours tenants colleagues coworkers co-workers employees bandmates teammates dogs cats
    puppies kittens rabbits bunnies hamsters parrots budgies turtles tortoises snakes horses ponies
    ferrets rats mice gerbils chickens hens goats pigs cows donkeys ducks bees pets canaries finches birds
    llamas alpacas
    """
)
"""Those that "live" rather than "lives"."""
FEMALE: Final = listed(
    """
    mother mom mum mam mama mommy mummy sister stepmother stepmom stepmum stepdaughter stepsister
    half-sister daughter wife wifey fiancee fiancée girlfriend ex-wife ex-girlfriend grandmother grandma
    granny gran nan nana nanna granddaughter aunt auntie aunty niece mother-in-law sister-in-law
    daughter-in-law godmother goddaughter landlady midwife nanny hen mare
    """
)
MALE: Final = listed(
    """
    father dad papa pop daddy brother stepfather stepdad stepson stepbrother half-brother son husband
    hubby boyfriend fiancé ex-husband ex-boyfriend grandfather grandpa grandad granddad gramps grandson
    uncle nephew father-in-law brother-in-law son-in-law godfather godson landlord stallion
    """
)
OCCUPATIONS: Final = listed(
    """
    accountant actor actress actuary analyst architect arborist artist astronomer attorney auditor author
    baker banker barber barista bartender biologist blacksmith bookkeeper bricklayer broker builder
    butcher buyer captain caregiver carer caretaker carpenter cashier chef chemist chiropractor cleaner
    clerk coach composer conductor consultant contractor cook counsellor counselor courier curator dancer
    decorator dentist designer detective developer dietitian diplomat director dispatcher diver dj doctor
    dramaturge driver ecologist economist editor electrician engineer entrepreneur estimator farmer
    filmmaker firefighter fisherman florist freelancer gamekeeper gardener geologist goldsmith guard guide
    hairdresser historian housekeeper illustrator inspector instructor interpreter investigator investor
    janitor jeweler jeweller joiner journalist judge labourer laborer landscaper lawyer lecturer librarian
    lifeguard linguist locksmith logistician machinist magician manager marketer mason masseur masseuse
    mathematician mechanic midwife milliner miner model musician nanny neurologist novelist nurse
    nutritionist officer operator optician optometrist paediatrician painter paralegal paramedic pastor
    pathologist pediatrician pharmacist photographer physician physicist physiotherapist pilot plasterer
    plumber poet policeman policewoman politician porter postman potter priest principal producer
    professor programmer psychiatrist psychologist publisher puppeteer rabbi radiographer radiologist
    realtor receptionist recruiter referee reporter researcher roofer sailor salesman saleswoman
    salesperson scientist screenwriter sculptor seamstress secretary singer sociologist soldier solicitor
    sommelier songwriter statistician steward stewardess stockbroker stonemason student supervisor surgeon
    surveyor tailor teacher technician therapist tiler toxicologist trader trainer translator tutor
    undertaker urologist valuer vet veterinarian waiter waitress watchmaker weaver web-developer welder
    writer zoologist assistant attendant agent president ceo cto cfo founder co-founder cofounder
    apprentice intern trainee worker teller sysadmin administrator admin devops dev tester strategist
    coordinator executive specialist planner owner busker minister vicar monk nun imam councillor mayor
    senator sergeant lieutenant marine paratrooper copywriter beautician esthetician stylist tattooist
    dogwalker groomer breeder beekeeper winemaker brewer distiller shepherd rancher forester logger ranger
    homemaker housewife househusband stay-at-home-mom stay-at-home-dad webdeveloper streamer youtuber
    blogger influencer podcaster philosopher archaeologist anthropologist astronaut geographer
    meteorologist oceanographer philologist postdoc provost dean headteacher headmaster
    """
)
"""Work that people name when they say what they are; the head of "a senior test engineer"."""
IDENTITIES: Final = listed(
    """
    mom mum mother dad father parent grandparent grandmother grandfather grandma grandpa twin orphan widow
    widower bachelor student undergrad undergraduate postgraduate grad graduate freshman sophomore junior
    senior expat immigrant emigrant refugee foreigner veteran citizen resident native local veg vegan
    vegetarian pescatarian omnivore carnivore introvert extrovert ambivert loner optimist pessimist
    perfectionist procrastinator workaholic chocoholic alcoholic smoker nonsmoker non-smoker insomniac
    diabetic asthmatic hypochondriac feminist atheist agnostic believer christian catholic protestant
    lutheran baptist mormon muslim jew buddhist hindu sikh pagan taoist quaker anglican methodist nerd
    geek gamer foodie bookworm bibliophile audiophile cinephile petrolhead gearhead homebody minimalist
    maximalist pacifist socialist conservative liberal democrat republican libertarian anarchist beginner
    amateur hobbyist novice newbie noob expert pro professional member volunteer donor organ-donor redhead
    blonde blond brunette leftie lefty southpaw capricorn aquarius pisces aries taurus gemini cancer leo
    virgo libra scorpio sagittarius millennial boomer zoomer person early-bird owl bird lark celiac
    coeliac haemophiliac hemophiliac amputee dyslexic teetotaler teetotaller enthusiast fanatic addict
    junkie collector speaker newcomer londoner parisian berliner teenager adult pensioner retiree lover
    hater supporter regular rookie traditionalist snob purist nomad globetrotter traveler traveller
    commuter cyclist runner swimmer climber hiker skier surfer reader thinker learner cook goalkeeper
    striker midfielder defender lesbian gay bisexual virgin goth punk hippie hipster guy girl woman man
    boy
    """
)
"""Other things that people are, in the sense of this package: they last."""
_NOBODY: Final = listed(
    """
    bit little lot mess wreck fool idiot genius star winner loser failure disaster legend sucker wimp
    coward pain joke shame stranger goner wonder monster number matter order corner layer letter danger
    burger killer bummer bother trooper tourist pleasure keeper bouncer blocker breaker changer charmer
    stunner helper cheerleader survivor sufferer whisperer dinosaur creature user customer caller visitor
    observer follower spectator outsider insider witness passenger suspect error factor sister brother
    prisoner hacker angel saint ghost zombie robot alien vampire dragon wizard wizardry pirate elf thief
    contributor fighter warrior gainer bystander reminder mirror minor sir tier layover offer computer
    server router parameter filter container wrapper header pointer iterator mother-to-be better never
    over under other another
    """
)
"""Nouns that end like those of people, or are said in praise and blame."""
_OF_PEOPLE: Final = re.compile(
    r"(?:ists?|ians?|eer|ers?|ors?|ess|man|woman|person|maker|aholic|phile|ologist|ster|nik|ette)$"
)
_SHORTEST: Final = 5
"""Letters of a noun that is taken for a person by its ending: "her" and "for" are none. Chosen by hand."""


def is_identity(head: str) -> bool:
    """Whether "I'm a ..." with this head says who someone is, rather than how they are.

    >>> [is_identity(head) for head in ("nurse", "taxidermist", "introvert", "mess", "table")]
    [True, True, True, False, False]
    """
    if head in OCCUPATIONS or head in IDENTITIES:
        return True
    return head not in _NOBODY and len(head) >= _SHORTEST and _OF_PEOPLE.search(head) is not None


LANGUAGES: Final = listed(
    """
    english german french spanish portuguese italian dutch danish swedish norwegian finnish icelandic
    polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian
    slovenian albanian arabic hebrew persian farsi urdu hindi bengali punjabi tamil telugu marathi
    gujarati kannada malayalam nepali sinhala burmese thai lao khmer vietnamese indonesian malay tagalog
    filipino mandarin cantonese chinese japanese korean mongolian swahili amharic somali hausa yoruba igbo
    zulu xhosa afrikaans catalan basque galician welsh irish gaelic breton latin esperanto yiddish
    lithuanian latvian estonian georgian armenian kurdish pashto uzbek kazakh maltese luxembourgish bsl
    asl sign twi wolof quechua
    """
)
_OTHER_NATIONS: Final = listed(
    """
    american canadian mexican brazilian argentinian argentine chilean peruvian colombian venezuelan cuban
    australian british scottish austrian swiss belgian flemish indian pakistani bangladeshi sri-lankan
    iranian iraqi syrian lebanese egyptian moroccan algerian tunisian nigerian ghanaian kenyan ethiopian
    ugandan tanzanian south-african israeli palestinian jordanian saudi emirati taiwanese singaporean
    european asian african latino latina latinx hispanic jamaican haitian dominican ecuadorian bolivian
    uruguayan paraguayan cypriot bosnian macedonian montenegrin moldovan belarusian afghan cambodian
    malaysian eritrean cameroonian senegalese congolese rwandan zimbabwean angolan mozambican texan
    californian bavarian sicilian kiwi aussie scouse geordie
    """
)
NATIONALITIES: Final = _OTHER_NATIONS | (
    LANGUAGES - listed("esperanto latin mandarin cantonese bsl asl sign yiddish farsi hindi urdu")
)
