"""What goes wrong with one system or one data set, and ends its row alone."""

from recollect.errors import InvalidInputError, RecollectError


class SystemFailedError(RecollectError):
    """A system cannot be installed, crashed, hung, or answered what it must not. The message says which."""


class DatasetError(InvalidInputError):
    """A data file cannot be read, or is not the version that is known."""
