"""Values that stand for another, in examples, settings and programs."""

import re
from typing import Final

from recollect.types.regex import lazy_regex


def is_placeholder(text: str) -> bool:
    """Whether a value stands for another: ``${PASSWORD}``, ``********``, ``db_password``."""
    return _PLACEHOLDER.fullmatch(text) is not None


_PLACEHOLDER: Final = lazy_regex(
    r".*(?:\.\.\.|\u2026).*|[$%]?[{<\[(].*|\$\w+|%\w+%"  # ${PASSWORD}, <password>
    r"|(.)\1+\W*"  # ********
    r"|\w+[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+(?:[(\[].*)?"  # getpass(), os.environ["X"]
    r"|your[_-].*|[a-z_]*(?:password|passwd|passwort|passphrase|passcode|pwd|kennwort)[a-z_]*",  # db_password
    re.IGNORECASE | re.DOTALL,
)
