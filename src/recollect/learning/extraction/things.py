"""Things: what one can have that lasts, and what passes.

Chosen by hand, of plain words in common use.
"""

import re
from typing import Final

from recollect.learning.extraction.people import PEOPLE, PETS
from recollect.learning.listing import listed

THINGS: Final = listed(
    """
    car bike bicycle motorbike motorcycle scooter van truck boat house flat apartment home garden yard
    room kitchen laptop computer pc phone tablet camera guitar piano violin keyboard editor ide
    browser desk setup thesis dissertation paper novel book blog podcast channel website shop store
    business commute office project startup degree course salary rent diet hair eyes eye skin surname
    allotment balcony roof heating oven stove printer router monitor tv bed
    """
)
"""Things of one's own that a sentence may say something lasting of: "My car is a diesel"."""
_LASTING: Final = listed(
    """
    boys girls car cars bike bikes bicycle motorbike motorcycle scooter van truck boat canoe kayak caravan
    campervan camper rv motorhome house houses flat apartment cottage cabin farm ranch allotment garden
    gardens greenhouse yard backyard balcony terrace patio pool shed garage studio basement attic cellar
    treehouse fireplace stove oven kitchen dishwasher fridge freezer sauna piano guitar guitars violin
    cello drums ukulele saxophone trumpet flute synth synths keyboard organ harp accordion banjo turntable
    laptop computer pc desktop macbook mac ipad tablet phone iphone smartphone android kindle e-reader
    ereader console ps4 ps5 xbox switch playstation tv television camera drone printer telescope
    microscope lathe loom kiln tattoo tattoos piercing piercings beard moustache glasses hair eyes
    freckles dimples scar scars braces dentures prosthesis pacemaker wheelchair cane implant implants
    transplant asthma diabetes adhd autism dyslexia epilepsy ocd ptsd anxiety depression arthritis eczema
    psoriasis migraines allergy allergies hypertension anaemia anemia cancer lupus ibs ms parkinson's
    parkinson alzheimer's alzheimer dementia crohn's celiac coeliac fibromyalgia endometriosis pcos
    scoliosis tinnitus glaucoma cataracts insomnia vertigo gout hepatitis hiv angina osteoporosis
    hypothyroidism hyperthyroidism sciatica narcolepsy hayfever cholesterol pressure intolerance
    intolerances syndrome disorder disability impairment condition disease apnea apnoea deficiency degree
    degrees phd doctorate bachelor bachelor's bachelors master's masters master mba bsc ba msc diploma
    certificate certification certifications licence license permit visa passport citizenship citizenships
    residency scholarship belt qualification a-levels ged baccalaureate experience background job jobs
    career business company startup shop store bakery restaurant cafe firm agency salon blog podcast
    channel newsletter website band hustle accent stutter stammer lisp hobby hobbies routine ritual curfew
    subscription membership pension mortgage loan debt debts savings fear phobia weakness passion
    obsession knack talent collection library vineyard orchard hive hives tree trees stable aquarium
    terrarium tank insurance solar panels roots ancestry heritage heating conditioning
    """
)
LASTING: Final = _LASTING | PEOPLE | PETS
"""What one can have for long. Of other things the talk is of the moment: "I have a question"."""
_CONDITION: Final = re.compile(r"(?:itis|osis|emia|aemia|algia|opathy|phobia|plegia|trophy|oma|ectomy)$")
_NO_CONDITIONS: Final = listed("diploma aroma coma trophy purpose")
FLEETING: Final = listed(
    """
    question questions problem problems issue issues idea ideas feeling headache cold meeting meetings
    appointment appointments plan plans doubt doubts error errors bug bugs list lists function functions
    class classes file files table tables dataset data time minute minutes hour hours day days week weeks
    month months year years fun trouble chance look break lunch dinner breakfast coffee drink night
    weekend thought thoughts point points reason reasons right choice option options request favor favour
    thing things lot lots something nothing anything everything way memories memory news moment moments
    opportunity access need sense goal goals interest luck blast exam exams test tests call calls deadline
    interview date match game train flight hope faith trust ones one task tasks work homework value values
    string strings array variable variables number numbers code script query method column columns row
    rows object objects set sets group groups article text texts lives life turn turns copy message
    messages email emails version
    """
)
"""What one has for the moment, or in too many senses."""
COUNTS: Final = listed(
    """
    two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
    """
)
HEALTH: Final = listed(
    """
    asthma diabetes adhd autism dyslexia epilepsy ocd ptsd anxiety depression eczema migraines allergy
    allergies hypertension cancer lupus ibs ms parkinson's parkinson alzheimer's alzheimer dementia crohn's
    celiac coeliac endometriosis pcos tinnitus insomnia vertigo gout hiv angina cholesterol pressure
    intolerance intolerances syndrome disorder disability impairment condition disease apnea apnoea
    deficiency pacemaker wheelchair glasses implant transplant braces
    """
)
STANDING: Final = listed(
    """
    degree degrees phd doctorate bachelor's bachelors master's masters master mba bsc ba msc diploma
    citizenship citizenships visa passport permit residency job jobs career business company licence
    license boss hair eyes
    """
)
"""What says who someone is, as health does, rather than what they own."""
INSTRUMENTS: Final = listed(
    """
    piano guitar bass violin viola cello drums drum flute clarinet oboe bassoon saxophone sax trumpet
    trombone horn tuba harp harmonica accordion banjo mandolin ukulele lute sitar organ keyboard
    keyboards synth percussion recorder bagpipes fiddle bongos djembe marimba xylophone theremin
    didgeridoo
    """
)


def is_condition(head: str) -> bool:
    """Whether a noun names a state of health: a known one, or by its Greek ending.

    >>> is_condition("asthma"), is_condition("arthritis"), is_condition("car")
    (True, True, False)
    """
    return head in HEALTH or (head not in _NO_CONDITIONS and _CONDITION.search(head) is not None)


def lasts(head: str) -> bool:
    """Whether who has this has it for long.

    >>> lasts("bike"), lasts("arthritis"), lasts("headache")
    (True, True, False)
    """
    return head in LASTING or is_condition(head)
