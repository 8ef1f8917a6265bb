"""Groups of phrases that rules name in braces. Chosen by hand, of plain words in common use."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from recollect.learning.extraction.people import PETS
from recollect.learning.extraction.tables import RULES
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
        **{
            name: any_of(phrases).replace("{NUMBER}", _NUMBER)
            for name, phrases in RULES.items()
            if name.isupper()
        },
        "NUMBER": _NUMBER,
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
        "INSTRUMENT": either(INSTRUMENTS),
        "PET": either(PETS),
        "DETAIL": (
            r"(?=(?: (?:last|two|three|in \d{4}|a year|\d+ years|with|for|since|near|by|until|because|after"
            r"|as|from|during|who|at the|on the|right|about|where|while|together|and)\b.*)?$)"
        ),
    }
)
