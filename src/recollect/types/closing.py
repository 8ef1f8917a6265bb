"""What is closed when a ``with`` block is left."""

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """Something to be closed in the end; a ``with`` block does so, also when it fails."""

    @abstractmethod
    def close(self) -> object:
        """Give back what it holds; again does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
