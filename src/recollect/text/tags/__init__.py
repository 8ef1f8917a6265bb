"""Tags: a few words that say what a text is about.

A tag is shown as the text spells it, in lower case ("machine learning"), and is the same as another
when their stems are. Start at ``extract_tags``; ``merge_tags`` and ``tag_overlap`` work on its results.
"""

from recollect.text.tags.compare import merge_tags, tag_overlap
from recollect.text.tags.extract import EMPTY, Algorithm, Corpus, extract_tags

__all__ = ["EMPTY", "Algorithm", "Corpus", "extract_tags", "merge_tags", "tag_overlap"]
