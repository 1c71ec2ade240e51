"""Odd boards, seeded, and a constraint solver that decides them too: OR-tools CP-SAT with `AddCircuit`.

python tests/python/benchmarks/odd_boards.py [--seconds 20] [--every 10] [--skip 0] [--ours] [--csv FILE]
python tests/python/benchmarks/odd_boards.py --page FILE

The first prints a table, and adds it to a file; the second prints such a file as the page of the documentation has it.
The rival gets two workers and is timed without the building of its model; `find` is timed as
it is called. Extra `bench` installs what is needed.
"""

import argparse
import csv
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import knightstour as kt

Pair = tuple[int, int]

#: What the rival is given.
WORKERS = 2


@dataclass(frozen=True)
class Case:
    """One request, and what it is called."""

    family: str
    name: str
    tours: kt.Tours


def colours(board: kt.Board) -> dict[kt.Square, int] | None:
    """A colour for each square, if moves join squares of two colours and the board is connected."""
    first = board.squares[0]
    colour = {first: 0}
    queue = [first]
    while queue:
        square = queue.pop()
        for to in board.moves(square):
            if to not in colour:
                colour[to] = 1 - colour[square]
                queue.append(to)
            elif colour[to] == colour[square]:
                return None
    return colour if len(colour) == len(board) else None


def holed(  # noqa: PLR0917
    rng: random.Random, rows: int, cols: int, share: float, closed: bool, leaper: Pair, wrap: str | None
) -> kt.Board:
    """A board with so large a share of its squares blocked that passes the plainest tests.

    As many squares of both colours (open: as good as), and no square with fewer than two moves.
    """
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    while True:
        blocked = set(rng.sample(squares, round(share * len(squares))))
        for _ in range(200):
            board = kt.Board(rows, cols, blocked=blocked, leaper=leaper, wrap=wrap)  # type: ignore[arg-type]
            poor = [square for square in board.squares if board.degree(square) < 2]
            if poor:
                blocked |= {(row, col) for row, col in poor}
                continue
            colour = colours(board)
            surplus = 2 * sum(colour.values()) - len(colour) if colour else 0
            if colour is None or abs(surplus) <= (0 if closed else 1):
                return board
            # One of the colour of which there are too many goes.
            many = [square for square in board.squares if colour[square] == (surplus > 0)]
            row, col = rng.choice(many)
            blocked.add((row, col))


def ends(rng: random.Random, board: kt.Board) -> tuple[kt.Square, kt.Square]:
    """Two ends that the colours allow."""
    colour = colours(board)
    squares = list(board.squares)
    while True:
        start, end = rng.sample(squares, 2)
        if colour is None:
            return start, end
        ones = sum(colour.values())
        if len(board) % 2 == 0:
            fits = colour[start] != colour[end]
        else:
            fits = colour[start] == colour[end] == (2 * ones > len(board))
        if fits:
            return start, end


def sides(rng: random.Random, least: int, most: int) -> Pair:
    """Two sides, small ones as likely as large ones."""
    return round(math.exp(rng.uniform(math.log(least), math.log(most)))), round(
        math.exp(rng.uniform(math.log(least), math.log(most)))
    )


def _cross(size: int) -> Callable[[int, int], bool]:
    third = size // 3
    return lambda row, col: third <= row < size - third or third <= col < size - third


def _ring(size: int) -> Callable[[int, int], bool]:
    width = max(3, size // 5)
    return lambda row, col: min(row, col, size - 1 - row, size - 1 - col) < width


def _letter(letter: str, size: int) -> Callable[[int, int], bool]:
    width = max(4, size // 5)
    middle = range((size - width) // 2, (size + width) // 2)
    return {
        "H": lambda row, col: col < width or col >= size - width or row in middle,
        "T": lambda row, col: row < width or col in middle,
        "L": lambda row, col: row >= size - width or col < width,
        "U": lambda row, col: row >= size - width or col < width or col >= size - width,
        "E": lambda row, col: col < width or row < width or row >= size - width or row in middle,
        "O": lambda row, col: row < width or row >= size - width or col < width or col >= size - width,
    }[letter]


def shape(name: str, size: int) -> kt.Board:
    """A cross, a ring, a diamond or a letter in a square of that size."""
    inside = {
        "cross": _cross(size),
        "ring": _ring(size),
        "diamond": lambda row, col: abs(2 * row + 1 - size) + abs(2 * col + 1 - size) <= size + 1,
    }.get(name) or _letter(name, size)
    return kt.Board(size, blocked=[(row, col) for row in range(size) for col in range(size) if not inside(row, col)])


def _request(rng: random.Random, board: kt.Board, kind: str) -> kt.Tours:
    if kind == "closed":
        return board.tours(closed=True)
    if kind == "open":
        return board.tours()
    start, end = ends(rng, board)
    return board.tours(start=start) if kind == "start" else board.tours(start=start, end=end)


KINDS = ("closed", "open", "start", "both ends")


def cases() -> Iterator[Case]:
    """The set: the same boards each time."""
    rng = random.Random(7)
    for number in range(48):
        rows, cols = sides(rng, 8, 40)
        kind = KINDS[number % 4]
        board = holed(rng, rows, cols, rng.uniform(0, 0.15), kind == "closed", (1, 2), None)
        yield Case("holes", f"{rows}x{cols}, {len(board)} open, {kind}", _request(rng, board, kind))
    for number in range(24):
        size = (8, 12, 16, 20, 26, 32, 40, 40)[number // 3]
        kind = ("closed", "both ends", "open")[number % 3]
        board = holed(rng, size, size, (0.05, 0.1, 0.15)[number // 3 % 3], kind == "closed", (1, 2), None)
        yield Case("holes", f"{size}x{size}, {len(board)} open, {kind}", _request(rng, board, kind))
    for number in range(32):
        rows, cols = sides(rng, 8, 40)
        kind = KINDS[number % 4]
        squares = [(row, col) for row in range(rows) for col in range(cols)]
        board = kt.Board(rows, cols, blocked=rng.sample(squares, round(rng.uniform(0, 0.15) * rows * cols)))
        start, end = rng.sample(list(board.squares), 2)
        given = {"start": start} if kind == "start" else {"start": start, "end": end} if kind == "both ends" else {}
        tours = board.tours(closed=kind == "closed", **given)
        yield Case("as they fall", f"{rows}x{cols}, {len(board)} open, {kind}", tours)
    for number in range(16):
        rows, cols = sides(rng, 8, 40)
        board = kt.Board(rows, cols)
        kind = KINDS[number % 4]
        if rows * cols % 2 and kind == "closed":
            kind = "open"
        yield Case("plain", f"{rows}x{cols}, {kind}", _request(rng, board, kind))
    leapers = [((2, 3), 10), ((1, 4), 10), ((3, 4), 14), ((1, 2), 8), ((2, 5), 14), ((1, 6), 14)]
    for number in range(40):
        leaper, least = leapers[number % len(leapers)]
        rows, cols = sides(rng, least, 40)
        kind = KINDS[number // 2 % 4]
        share = (0, 0.03, 0.08)[number % 3]
        board = holed(rng, rows, cols, share, kind == "closed", leaper, None)
        yield Case("leapers", f"{leaper} {rows}x{cols}, {len(board)} open, {kind}", _request(rng, board, kind))
    for number in range(32):
        rows, cols = sides(rng, 8, 40)
        kind = KINDS[number % 4]
        wrap = ("cols", "rows", "both")[number % 3]
        board = holed(rng, rows, cols, rng.uniform(0, 0.15), kind == "closed", (1, 2), wrap)
        yield Case("joined edges", f"{wrap} {rows}x{cols}, {len(board)} open, {kind}", _request(rng, board, kind))
    for number, name in enumerate(("cross", "ring", "diamond", "H", "T", "L", "U", "E", "O") * 2):
        size = (16, 36)[number // 9]
        kind = KINDS[number % 4]
        board = shape(name, size)
        colour = colours(board)
        if kind == "both ends" and colour is not None and abs(2 * sum(colour.values()) - len(colour)) > 1:
            kind = "open"
        tours = _request(rng, board, kind)
        yield Case("shapes", f"{name} {size}x{size}, {len(board)} open, {kind}", tours)


def ours(tours: kt.Tours, seconds: float) -> tuple[str, float, str]:
    """(found, impossible or stopped; seconds; what answered)."""
    began = time.perf_counter()
    answer = tours.find(time_limit=seconds)
    taken = time.perf_counter() - began
    match answer:
        case kt.Found(tour, stats):
            assert tour in tours
            return "found", taken, stats.method
        case kt.Impossible(reason, stats):
            return "impossible", taken, stats.method if reason.code == "exhausted" else reason.code
        case kt.Stopped(_, stats):
            return "stopped", taken, stats.method


def rival(tours: kt.Tours, seconds: float) -> tuple[str, float]:
    """(found, impossible or stopped; seconds) of CP-SAT with a circuit through all squares."""
    from ortools.sat.python import cp_model  # noqa: PLC0415

    board = tours.board
    number = {square: at for at, square in enumerate(board.squares)}
    model = cp_model.CpModel()
    arcs = [(number[a], number[b], model.new_bool_var("")) for a in board.squares for b in board.moves(a)]
    if not tours.closed:
        # One more stop, before the start and after the end.
        apex = len(board)
        for square, at in number.items():
            if tours.start in (None, square):
                arcs.append((apex, at, model.new_bool_var("")))
            if tours.end in (None, square):
                arcs.append((at, apex, model.new_bool_var("")))
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = WORKERS
    solver.parameters.max_time_in_seconds = seconds
    began = time.perf_counter()
    status = solver.solve(model)
    taken = time.perf_counter() - began
    words = {cp_model.OPTIMAL: "found", cp_model.FEASIBLE: "found", cp_model.INFEASIBLE: "impossible"}
    return words.get(status, "stopped"), taken


def geometric_mean(values: list[float]) -> float:
    """Of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def page(file: Path) -> str:
    """The tables of the documentation: a line for each family, and one for each board."""
    with file.open(newline="") as opened:
        rows = sorted(csv.reader(opened), key=lambda row: int(row[0]))
    lines = ["| boards | | decided | by CP-SAT | contradictions | faster, geometric mean | least | most |"]
    lines.append("|---|--:|--:|--:|--:|--:|--:|--:|")
    families = list(dict.fromkeys(row[1] for row in rows))
    for family in [*families, "all"]:
        chosen = [row for row in rows if family in {row[1], "all"}]
        decided = [row for row in chosen if "stopped" not in {row[3], row[6]}]
        ratios = [float(row[7]) / float(row[4]) for row in decided]
        figures = [
            family,
            len(chosen),
            sum(row[3] != "stopped" for row in chosen),
            sum(row[6] != "stopped" for row in chosen),
            sum(row[3] != row[6] for row in decided),
            f"{geometric_mean(ratios):,.0f}",
            f"{min(ratios):,.1f}",
            f"{max(ratios):,.0f}",
        ]
        lines.append("| " + " | ".join(map(str, figures)) + " |")
    lines += ["", "| | board | answer | by | ms | CP-SAT | ms |", "|--:|---|---|---|--:|---|--:|"]
    for at, family, name, answer, taken, method, other, other_taken in rows:
        ms, other_ms = 1000 * float(taken), 1000 * float(other_taken)
        lines.append(f"| {at} | {family}: {name} | {answer} | {method} | {ms:.2f} | {other} | {other_ms:,.0f} |")
    return "\n".join(lines)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--every", type=int, default=1, help="every so manieth board only")
    parser.add_argument("--skip", type=int, default=0, help="of these, begin with this one")
    parser.add_argument("--ours", action="store_true", help="without the rival")
    parser.add_argument("--csv", type=Path, help="add the figures to this file")
    parser.add_argument(
        "--page", type=Path, help="print this file's figures for the documentation, and do nothing else"
    )
    given = parser.parse_args()
    if given.page:
        print(page(given.page))
        return 0
    decided = [0, 0]
    contradictions = 0
    ratios = []
    for at, case in enumerate(cases()):
        if at % given.every != given.skip:
            continue
        answer, taken, method = ours(case.tours, given.seconds)
        line = f"{at:4} {case.family:13} {case.name:42} {answer:10} {taken:9.4f} {method:14}"
        decided[0] += answer != "stopped"
        row = [at, case.family, case.name, answer, f"{taken:.6f}", method]
        if not given.ours:
            other, other_taken = rival(case.tours, given.seconds)
            decided[1] += other != "stopped"
            if "stopped" not in (answer, other):
                ratios.append(other_taken / taken)
                contradictions += answer != other
            line += f" {other:10} {other_taken:9.4f}"
            row += [other, f"{other_taken:.6f}"]
        print(line, flush=True)
        if given.csv:
            with given.csv.open("a", newline="") as file:
                csv.writer(file).writerow(row)
    print(f"decided {decided[0]}, the rival {decided[1]}; contradictions {contradictions}")
    if ratios:
        print(f"geometric mean of the rival's time over ours, {len(ratios)} boards: {geometric_mean(ratios):.1f}")
    return int(contradictions > 0)


if __name__ == "__main__":
    sys.exit(main())
