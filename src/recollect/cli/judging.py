"""The command ``recollect bench judge``: a model answers from what systems found, and judges decide."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.command import command
from recollect.cli.options import BaseUrl, Json, Yes, key_for
from recollect.cli.output import confirm, show
from recollect.errors import InvalidInputError
from recollect_bench import OUT

if TYPE_CHECKING:
    from recollect_bench.judged.calls import ServedModel


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What a million tokens cost."""

    price_in: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="Of a million tokens in, of the dearest model.")
    ] = None
    price_out: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="Of a million tokens out, of the dearest model.")
    ] = None


@command(
    "judge",
    example="""\
recollect bench judge bench-results --data locomo=locomo10.json --model gpt-4o-mini --judge gpt-4o
recollect bench judge out --data beam=beam.json --model llama3.2@http://localhost:11434/v1 --judge gpt-4o""",
)
def judge(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where bench run wrote its results.")
    ] = Path(OUT),
    *,
    data: Annotated[str, typer.Option(metavar="NAME=PATH,...", help="The data set and its files, as then.")],
    model: Annotated[str, typer.Option(metavar="NAME[@URL]", help="The language model that answers.")],
    judges: Annotated[
        list[str],
        typer.Option(
            "--judge",
            metavar="NAME[@URL]",
            help="A model that judges; may be repeated.",
        ),
    ],
    base_url: BaseUrl = None,
    systems: Annotated[
        str,
        typer.Option(metavar="NAME,...", help="Systems by name, or .py files; by default all that were run."),
    ] = "",
    limit: Annotated[int | None, typer.Option(help="Draw so many questions; by default all.", min=1)] = None,
    tokens: Annotated[int, typer.Option(help="Tokens of turns that an answer is made from.", min=1)] = 2_000,
    parallel: Annotated[int, typer.Option(help="Calls made at a time.", min=1, max=64)] = 4,
    timeout_s: Annotated[float, typer.Option(help="Seconds that one call may take.", min=1)] = 60,
    prices: Prices,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Have a model answer from what systems found, and judges decide who is right. Shows the costs first.

    Any server that speaks OpenAI's chat completions will do. OPENAI_API_KEY goes to OPENAI_BASE_URL alone or,
    without that, to OpenAI. What was answered is kept and not asked again.
    """
    from recollect.models import Price
    from recollect_bench.catalogue import find_data, names_of
    from recollect_bench.judged.calls import Calls
    from recollect_bench.judged.cases import read_cases
    from recollect_bench.judged.figures import judged_result
    from recollect_bench.judged.judging import Judging
    from recollect_bench.judged.tables import judged_summary
    from recollect_bench.results import write_result

    if (prices.price_in is None) != (prices.price_out is None):
        raise typer.BadParameter("--price-in and --price-out go together")
    price = (
        None
        if prices.price_in is None or prices.price_out is None
        else Price(input_per_million=prices.price_in, output_per_million=prices.price_out)
    )
    chosen = find_data(data)
    cases = read_cases(
        folder,
        chosen,
        systems=names_of(systems),
        tokens=tokens,
        limit=limit,
    )
    with (
        _opened([model, *judges], base_url, timeout_s=timeout_s) as (answerer, *judging),
        closing(Calls(folder / "judged" / "calls.jsonl")) as calls,
    ):
        work = Judging(cases=cases, answerer=answerer, judges=judging, calls=calls, parallel=parallel)
        estimate = work.estimate()
        if estimate.calls:
            typer.echo(estimate.in_words(price), err=True)
            confirm("Go on?", yes=yes)
        work.run(lambda line: typer.echo(line, err=True))
        result = judged_result(work)
    write_result(result, folder / f"{chosen.name}-judged.json")
    show(result, lines=judged_summary(result), as_json=as_json)


@contextmanager
def _opened(named: Sequence[str], base_url: str | None, *, timeout_s: float) -> "Iterator[list[ServedModel]]":
    """Open models given as ``NAME[@URL]``."""
    from recollect.models import OpenAIModel
    from recollect_bench.judged.calls import ServedModel

    with ExitStack() as stack:
        served = []
        for one in named:
            name, at, rest = one.partition("@http")
            url = f"http{rest}" if at else base_url
            opened = OpenAIModel(name, base_url=url, api_key=key_for(url), timeout_s=timeout_s, temperature=0)
            stack.enter_context(closing(opened))
            served.append(ServedModel(name=name, server=opened.server, model=opened))
        names = [one.name for one in served[1:]]
        if len(set(names)) < len(names):
            raise InvalidInputError("two judges have the same name; the results could not tell them apart")
        yield served
