"""Foods and drinks by kind: somebody who eats no fish eats no herring.

Chosen by hand, of plain words in common use. Words stand in the plural, or in the singular where that is more
common; both are known.
"""

from collections.abc import Mapping
from typing import Final

from recollect.learning.listing import listed

_FISH: Final = listed(
    """
    fish herring salmon tuna cod haddock halibut trout mackerel sardines anchovies sole plaice carp pike perch
    bass eel tilapia monkfish swordfish snapper kippers caviar sushi sashimi
    """
)
_SHELLFISH: Final = listed(
    """
    shellfish prawns shrimps mussels oysters clams scallops crab lobster crayfish langoustines squid octopus
    calamari
    """
)
_MEAT: Final = listed(
    """
    meat beef pork lamb chicken turkey duck goose veal venison bacon ham sausages salami chorizo prosciutto
    steak burgers ribs mince liver brisket schnitzel meatballs pastrami pepperoni kebab mutton goat rabbit
    """
)
_PORK: Final = listed("pork bacon ham salami chorizo prosciutto pepperoni sausages")
_DAIRY: Final = listed(
    """
    dairy milk cheese butter cream yoghurt yogurt kefir brie camembert cheddar gouda parmesan mozzarella feta
    halloumi ricotta mascarpone lactose custard milkshakes lattes cappuccinos
    """
)
_GLUTEN: Final = listed(
    """
    gluten wheat bread pasta spaghetti noodles couscous bulgur barley rye bagels croissants pizza baguettes
    toast seitan lasagne crackers flour
    """
)
_NUTS: Final = listed(
    """
    nuts peanuts walnuts hazelnuts cashews almonds pistachios pecans macadamias chestnuts marzipan nutella
    """
)
_ALCOHOL: Final = listed(
    """
    alcohol wine beer whisky whiskey vodka gin rum cider champagne prosecco tequila cocktails lager ale stout
    sake brandy cognac bourbon port sherry mezcal
    """
)
_CAFFEINE: Final = listed("caffeine coffee espresso cappuccinos lattes cola")
_EGGS: Final = listed("eggs omelettes mayonnaise meringues quiche")
_SWEETS: Final = listed(
    "sugar sweets candy chocolate cake cookies biscuits ice-cream doughnuts pastries desserts"
)
_OTHERS: Final = listed(
    """
    sesame soy soya celery mustard lupin corn rice oats yeast strawberries kiwis mangos mangoes tomatoes
    pineapples bananas apples peaches cherries citrus oranges lemons avocados mushrooms onions garlic
    peppers beans lentils chickpeas peas potatoes aubergines coconuts honey spinach cinnamon coriander
    cilantro msg sulfites sulphites histamine fructose raspberries melons grapes grapefruit nightshades
    """
)
KINDS: Final[Mapping[str, frozenset[str]]] = {
    "fish": _FISH,
    "shellfish": _SHELLFISH,
    "seafood": _FISH | _SHELLFISH,
    "meat": _MEAT,
    "pork": _PORK,
    "dairy": _DAIRY,
    "lactose": _DAIRY,
    "gluten": _GLUTEN,
    "wheat": _GLUTEN,
    "nuts": _NUTS,
    "alcohol": _ALCOHOL,
    "caffeine": _CAFFEINE,
    "eggs": _EGGS,
    "sugar": _SWEETS,
    "sweets": _SWEETS,
}
"""The foods and drinks of a kind, by the word that excludes them all."""
FOODS: Final = frozenset().union(*KINDS.values(), _OTHERS)
"""All that is known."""


def singular(word: str) -> str:
    """A noun in the singular, by its ending.

    >>> [singular(one) for one in ("strawberries", "tomatoes", "peanuts", "bass", "fish")]
    ['strawberry', 'tomato', 'peanut', 'bass', 'fish']
    """
    if word.endswith("ies") and word not in {"cookies", "smoothies"}:
        return f"{word[:-3]}y"
    if word.endswith(("oes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word
