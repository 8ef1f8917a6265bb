"""Counting what a model uses, and stopping at a budget."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from recollect.checks import check_count, check_seconds
from recollect.errors import BudgetExceededError, InvalidInputError, as_given
from recollect.models.chat import Usage

_PER: Final = 1_000_000
"""Tokens that prices are given for."""
MOST_BUDGET: Final = 10**15
"""Tokens that a budget may have; more than anyone pays for. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model costs. Prices change: none are built in.

    Attributes:
        input_per_million: US dollars for a million tokens of prompts.
        output_per_million: US dollars for a million tokens of answers.

    Raises:
        InvalidInputError: One is not a number of at least 0.
    """

    input_per_million: float
    output_per_million: float

    def __post_init__(self) -> None:
        check_seconds("input_per_million", self.input_per_million)
        check_seconds("output_per_million", self.output_per_million)

    def cost(self, *, input_tokens: int, output_tokens: int) -> float:
        """US dollars for so many tokens.

        >>> Price(input_per_million=0.15, output_per_million=0.6).cost(input_tokens=4000, output_tokens=1000)
        0.0012
        """
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / _PER


class Meter:
    """Counts calls and tokens; any number of threads may do so at once."""

    def __init__(
        self,
        *,
        price: Price | None,
        budget_usd: float | None,
        budget_tokens: int | None,
        on_usage: Callable[[Usage], None] | None = None,
    ) -> None:
        self._price, self._budget_usd, self._budget_tokens = price, budget_usd, budget_tokens
        self._on_usage = on_usage
        self._lock = threading.Lock()
        self._total = self._used()

    def check(self) -> None:
        """Refuse when the budget is spent."""
        refuse_when_spent(self.total(), budget_usd=self._budget_usd, budget_tokens=self._budget_tokens)

    def count(self, *, input_tokens: int, output_tokens: int, estimated: bool) -> Usage:
        """Add one call to the total; returns what it used."""
        with self._lock:
            total = self._total
            self._total = self._used(
                calls=total.calls + 1,
                input_tokens=total.input_tokens + input_tokens,
                output_tokens=total.output_tokens + output_tokens,
                estimated_calls=total.estimated_calls + estimated,
            )
        used = self._used(
            calls=1, input_tokens=input_tokens, output_tokens=output_tokens, estimated_calls=int(estimated)
        )
        if self._on_usage is not None:
            self._on_usage(used)
        return used

    def total(self) -> Usage:
        """Everything counted since the beginning or the last reset."""
        with self._lock:
            return self._total

    def reset(self) -> Usage:
        """Start again at zero, the budget too; returns what was counted until now."""
        with self._lock:
            total, self._total = self._total, self._used()
        return total

    def _used(
        self, *, calls: int = 0, input_tokens: int = 0, output_tokens: int = 0, estimated_calls: int = 0
    ) -> Usage:
        price = self._price
        return Usage(
            calls=calls,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            estimated_calls=estimated_calls,
            cost_usd=price.cost(input_tokens=input_tokens, output_tokens=output_tokens) if price else None,
        )


class Metered:
    """Something whose calls are counted; of an embedder all tokens are input."""

    _meter: Meter

    @property
    def usage(self) -> Usage:
        """What all calls used since the beginning or the last ``reset_usage``."""
        return self._meter.total()

    def reset_usage(self) -> Usage:
        """Start again at zero, the budget too; returns what was counted until now."""
        return self._meter.reset()


def refuse_when_spent(total: Usage, *, budget_usd: float | None, budget_tokens: int | None) -> None:
    """Refuse a call when a budget is used up."""
    tokens = total.input_tokens + total.output_tokens
    if budget_tokens is not None and tokens >= budget_tokens:
        spent = f"{tokens:,} of {budget_tokens:,} tokens"
    elif budget_usd is not None and (total.cost_usd or 0.0) >= budget_usd:
        spent = f"${total.cost_usd or 0.0:.4f} of ${budget_usd:.4f}"
    else:
        return
    raise BudgetExceededError(
        f"the model's budget is spent ({spent}); raise it, or call reset_usage() to begin a new one"
    )


def sum_of(used: Iterable[Usage]) -> Usage:
    """The usage of several calls together; dollars as far as they are known.

    >>> sum_of([Usage(calls=1, input_tokens=5), Usage(calls=1, cost_usd=0.5)])
    Usage(calls=2, input_tokens=5, output_tokens=0, estimated_calls=0, cost_usd=0.5)
    """
    every = list(used)
    costs = [one.cost_usd for one in every if one.cost_usd is not None]
    return Usage(
        calls=sum(one.calls for one in every),
        input_tokens=sum(one.input_tokens for one in every),
        output_tokens=sum(one.output_tokens for one in every),
        estimated_calls=sum(one.estimated_calls for one in every),
        cost_usd=sum(costs) if costs else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What tokens cost, and how much may be spent.

    Attributes:
        price: What the tokens cost; without it no dollars are counted.
        budget_usd: From how many dollars on requests are refused; needs ``price``. Requests that run at the
            same time may each go past it.
        budget_tokens: The same for tokens, prompts and answers together.

    Raises:
        InvalidInputError: A value cannot be used; the message names it.
    """

    price: Price | None = None
    budget_usd: float | None = None
    budget_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.budget_usd is not None and self.price is None:
            raise InvalidInputError("budget_usd needs price: without it no dollars are counted")
        if self.budget_usd is not None:
            check_seconds("budget_usd", self.budget_usd)
        if self.budget_tokens is not None:
            check_count("budget_tokens", self.budget_tokens, most=MOST_BUDGET)


NO_COSTS: Final = Costs()
"""No price and no budget."""


def meter_of(costs: Costs, *, on_usage: Callable[[Usage], None] | None = None) -> Meter:
    """A meter for some costs."""
    if not isinstance(costs, Costs):
        raise InvalidInputError(f"costs must be Costs, not {as_given(costs)}")
    return Meter(
        price=costs.price,
        budget_usd=costs.budget_usd,
        budget_tokens=costs.budget_tokens,
        on_usage=on_usage,
    )
