"""Lists of words and of phrases, written as they are read best."""

import re
from collections.abc import Iterable
from typing import Final

from recollect.types.regex import lazy_regex


def listed(words: str) -> frozenset[str]:
    """The words of a list with blanks between.

    >>> sorted(listed("piano cello"))
    ['cello', 'piano']
    """
    return frozenset(words.split())


def divided(phrases: str) -> list[str]:
    """The phrases of a list that bars divide; line breaks do not count.

    >>> divided("at the moment | right now")
    ['at the moment', 'right now']
    """
    return " ".join(phrases.split()).split(" | ")


def either(words: Iterable[str]) -> str:
    """A pattern that any of the words matches, the longest first, so that none hides another.

    >>> either(["cat", "cats"])
    '(?:cats|cat)'
    """
    return f"(?:{'|'.join(sorted(words, key=lambda word: (-len(word), word)))})"


def any_of(phrases: str) -> str:
    """A pattern that any of the phrases matches; bars with blanks around them divide the phrases.

    Line breaks count as blanks, and not at all before a bar without a blank behind it.

    >>> any_of("high school | at (?:the |a )?uni")
    '(?:high school|at (?:the |a )?uni)'
    """
    joined = re.sub(r"\s*\n\s*[|](?=\S)", "|", phrases)
    return f"(?:{' '.join(joined.split()).replace(' | ', '|')})"


def finding(phrases: str) -> re.Pattern[str]:
    """Finds any of the phrases as whole words; see ``any_of``.

    >>> finding("now | at present").findall("not now, at present nowadays")
    ['now', 'at present']
    """
    return lazy_regex(rf"\b{any_of(phrases)}\b")


DRUG: Final = (
    r"(?:sertraline|tirzepatide|insulin|warfarin|aspirin|paracetamol|methotrexate|tamoxifen|donepezil|lithium"
    "|adderall|ritalin|prozac|zoloft|xanax|ozempic|wegovy|salbutamol|ventolin|codeine|tramadol|venlafaxine"
    "|bupropion|trazodone|lamotrigine|furosemide|allopurinol|naproxen|diclofenac|celecoxib|clopidogrel|digoxin"
    "|amiodarone|spironolactone|indapamide|tamsulosin|finasteride|azathioprine|mesalazine|hydroxychloroquine"
    "|hydrocortisone|beclometasone|fexofenadine|valproate|levetiracetam|carbamazepine|phenytoin|methylphenidate"
    "|elvanse|concerta|modafinil|letrozole|anastrozole|estradiol|melatonin|trimethoprim|nitrofurantoin|morphine"
    "|oxycodone|fentanyl|mounjaro|humira|symbicort|seretide|fostair|lexapro|cymbalta|effexor|lipitor|synthroid"
    "|gliclazide|glimepiride|glipizide|victoza|saxenda|lantus|levemir|tresiba|novorapid|humalog|dabigatran"
    "|carvedilol|diltiazem|verapamil|bumetanide|ezetimibe|zopiclone|carbimazole|theophylline|tiotropium"
    "|mebeverine|loperamide|colchicine|alendronate|oxybutynin|solifenacin|mirabegron|ropinirole|sinemet|madopar"
    "|rotigotine|topiramate|baclofen|tizanidine|dihydrocodeine|buprenorphine|meloxicam|etoricoxib|memantine"
    "|rivastigmine|thyroxine"
    r"|eliquis|xarelto|entresto|jardiance|trulicity|[^\W\d_]{3,}(?:mab|thiazide|conazole|nidazole|ciclovir)"
    r"|[^\W\d_]{2,}(?:pril|sartan|statin|olol|dipine|azosin"
    "|prazole|tidine|oxetine|pram|zepam|zolam|formin|glutide|gliptin|gliflozin|triptyline|thyroxine|mycin|cillin|cycline"
    "|floxacin|triptan|xaban|profen|tadine|tirizine|setron|lukast|sone|solone|apine|idone|gabalin|pentin))"
)
"""A medicine by its name, most by the endings of their international ones (WHO, The use of stems, 2018)."""
DAY: Final = "(?:sun|mon|tues|wednes|thurs|fri|satur)day"
"""Any day of the week."""
MONTH: Final = any_of(
    """
    january | february | march | april | may | june | july | august | september | october | november
    | december
    """
)
"""Any month."""
DATED_MONTH: Final = rf"(?:{MONTH}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?)"
"""A month beside its day: "Dec 31"."""

EXPERT_SAYS: Final = (
    r"(?:my|the|our|an?|his|her|their) (?:[\w-]+ )?"
    r"(?:doctor|gp|\w+ologist|allergist|nurse|vet|midwife|dentist|specialist|consultant|p(?:a)?ediatrician"
    r"|dietitian|surgeon|(?:blood |skin |allergy )?(?:tests?|scan|results?))"
    r" (?:(?:just|now|finally) )?(?:says?|said|told (?:me|us)|tells me|confirm(?:ed|s)|found|show(?:ed|s))"
    r"(?: that)?"
)
"""Reports a finding of somebody, or of a test, whose word counts: "my allergist says ..."."""
