"""`knightstour ledger`: the state of a count in parts."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from knightstour.cli.bar import Bar
from knightstour.cli.options import JsonOption, QuietOption, examples
from knightstour.cli.output import print_json
from knightstour.cli.reading import read_whole

EPILOG = examples(
    "ledger run.db",
    "ledger run.db --verify 3",
    "ledger run.db --csv -",
    keys="tours, by, parts, done, value (of the whole, if all is done), seconds (core time so far), checks "
    "(parts counted again)",
)


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What `count --plan FILE` writes.")],
    *,
    verify: Annotated[
        str | None,
        typer.Option("--verify", metavar="N", help="Count so many parts again, in another order: the cheapest."),
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write the parts and their results; - for stdout.")
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Show how far a count in parts is, verify some of it, or write it as a table."""
    from knightstour.parts.ledger import Ledger  # noqa: PLC0415
    from knightstour.parts.run import Runner  # noqa: PLC0415

    with Ledger.open(file) as ledger:
        plan = ledger.plan()
        if csv == "-":
            ledger.export(sys.stdout)
            return 0
        if csv is not None:
            with Path(csv).open("w", encoding="utf-8") as to:
                ledger.export(to)
        results = ledger.results()
        again: list[str] = []
        if verify is not None:
            count = read_whole("--verify", verify)
            limits = dict.fromkeys(("threads", "memory_limit", "time_limit", "spill_dir"))
            with Bar("counting again", wanted=not quiet) as progress:
                runner = Runner(plan, None, ledger, progress, limits, None)
                runner.take_known(results)
                again = runner.verify(count or 0)
        value = None
        if len(results) == len(plan.parts):
            value = sum(part.multiplicity * results[part.key].value for part in plan.parts)
        checked = sorted({part for part, _ in ledger.checks()})
    answer: dict[str, Any] = {
        "tours": repr(plan.tours),
        "by": plan.by,
        "parts": len(plan.parts),
        "done": len(results),
        "value": value,
        "seconds": sum(result.seconds for result in results.values()),
        "checks": checked,
    }
    if json:
        print_json(answer)
        return 0
    print(f"{len(results)} of {len(plan.parts)} parts by {plan.by} of {plan.tours!r}")
    print(f"{answer['seconds']:.3g} s so far")
    if again:
        print("counted again, with the same value:", ", ".join(again))
    if value is not None:
        print(value)
    return 0
