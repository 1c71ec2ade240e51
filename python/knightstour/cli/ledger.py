"""`knightstour ledger`: the state of a count in parts."""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

from knightstour._core import _quote
from knightstour.cli.bar import Bar
from knightstour.cli.options import JsonOption, QuietOption, argument, examples, option
from knightstour.cli.output import print_json, written
from knightstour.cli.reading import MisuseError, read_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from knightstour.parts.ledger import Ledger, Result
    from knightstour.parts.plan import Plan
    from knightstour.parts.run import Runner
    from knightstour.results import Progress

EPILOG = examples(
    "ledger run.db",
    "ledger run.db --verify 3",
    "ledger run.db --csv -",
    "ledger run.db --ends starts.svg",
    keys="tours, by, parts, done, value (the whole count, once all is done), seconds (core time so far), checks "
    "(parts counted again)",
)


def command(
    file: Annotated[str, argument("FILE", "The file that `count --plan FILE` writes.")],
    *,
    verify: Annotated[
        int | None, option("--verify N", "Count N parts, picked at random, again in another order.", read=read_whole)
    ] = None,
    seed: Annotated[
        int | None, option("--seed S", "With --verify: the same seed picks the same parts.", read=read_whole)
    ] = None,
    csv: Annotated[str | None, option("--csv FILE", "Write the parts and their results; - is standard output.")] = None,
    ends: Annotated[
        str | None,
        option(
            "--ends FILE",
            "For parts by ends: the number of tours from each square to each as CSV, or from each as SVG; "
            "- is standard output.",
        ),
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Show how much of a count in parts is done, verify some parts, or write them as a table."""
    from knightstour.parts.ledger import Ledger  # noqa: PLC0415

    printed = [name for name, given in (("--csv -", csv == "-"), ("--ends -", ends == "-"), ("--json", json)) if given]
    if len(printed) > 1:
        raise MisuseError(f"{' and '.join(printed)} cannot be combined: only one can go to standard output")
    with Ledger.open(file) as ledger:
        for option, name in (("--csv", csv), ("--ends", ends)):
            if name is not None and Path(name).exists() and Path(name).samefile(file):
                raise MisuseError(f"{option} would overwrite the ledger {_quote(file)}: choose another file")
        plan = ledger.plan()
        with written(csv) as to:
            if to is not None:
                ledger.export(to)
        results = ledger.results()
        again: list[str] = []
        if verify is not None:
            with Bar("counting again", wanted=not quiet) as progress:
                runner = runner_of(plan, results, ledger, progress)
                picked = Random(seed).sample(sorted(results), min(verify, len(results)))
                again = runner.verify(picked)
        if ends is not None:
            write_ends(plan, results, ends)
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
    if printed:
        return 0
    print(f"{len(results)} of {len(plan.parts)} parts by {plan.by} of {plan.tours!r}")
    print(f"{answer['seconds']:.3g} s so far")
    if again:
        print("counted again, with the same value:", ", ".join(again))
    if value is not None:
        print(value)
    return 0


def runner_of(
    plan: "Plan",
    results: "dict[str, Result]",
    ledger: "Ledger | None" = None,
    progress: "Callable[[Progress], object] | None" = None,
) -> "Runner":
    """A run of a plan that knows the results so far, without limits."""
    from knightstour.parts.run import Runner  # noqa: PLC0415

    limits = dict.fromkeys(("threads", "memory_limit", "time_limit", "spill_dir"))
    runner = Runner(plan, None, ledger, progress, limits, None)
    runner.take_known(results)
    return runner


def write_ends(plan: "Plan", results: "dict[str, Result]", file: str) -> None:
    """Write the table of both ends, one line per start; or a heat map of the starts."""
    from csv import writer  # noqa: PLC0415

    if plan.by != "ends":
        raise MisuseError(f"--ends needs parts by ends; these parts are by {plan.by}")
    if len(results) < len(plan.parts):
        raise MisuseError(f"--ends needs all parts; {len(results)} of {len(plan.parts)} are done")
    table = runner_of(plan, results).answer([]).ends()
    board = plan.tours.board
    names = [board.name((row, col)) for row in range(board.rows) for col in range(board.cols)]
    with written(file) as to:
        if to is None:
            return
        if file.endswith(".svg"):
            to.write(table.svg())
            return
        lines = writer(to, lineterminator="\n")
        lines.writerow(["start", *names])
        lines.writerows([name, *row] for name, row in zip(names, table.rows, strict=True))
