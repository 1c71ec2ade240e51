"""Tours as people and other programs write them: an independent writer of what the package has to read."""

from __future__ import annotations

import csv
import io
import itertools
import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

Grid = list[list[int]]
Square = tuple[int, int]


def order(grid: Grid) -> list[Square]:
    """The squares of a grid from 1, in order."""
    places = {number: (row, col) for row, line in enumerate(grid) for col, number in enumerate(line)}
    return [places[number] for number in sorted(places)]


def name(square: Square, rows: int) -> str:
    return f"{chr(97 + square[1])}{rows - square[0]}"


def framed(grid: Grid, horizontal: str, vertical: str, cross: str) -> str:
    rule = cross + cross.join(horizontal * 4 for _ in grid[0]) + cross
    lines = [vertical + vertical.join(f" {n:2} " for n in row) + vertical for row in grid]
    return "\n".join([rule, *(line for pair in lines for line in (pair, rule))])


def boxed(grid: Grid) -> str:
    def rule(left: str, middle: str, right: str) -> str:
        return left + middle.join("══" for _ in grid[0]) + right

    lines = ["║" + "║".join(f"{n:2}" for n in row) + "║" for row in grid]
    body = ("\n" + rule("╠", "╬", "╣") + "\n").join(lines)
    return f"{rule('╔', '╦', '╗')}\n{body}\n{rule('╚', '╩', '╝')}"


def html(grid: Grid) -> str:
    rows = "".join("<tr>" + "".join(f'<td class="c">{n}</td>' for n in row) + "</tr>\n" for row in grid)
    return f'<table border="1">\n{rows}</table>'


def saved(grid: Grid, **options: Any) -> str:
    file = io.StringIO()
    np.savetxt(file, np.array(grid), **options)
    return file.getvalue()


def written(grid: Grid, **options: Any) -> str:
    file = io.StringIO()
    csv.writer(file, **options).writerows(grid)
    return file.getvalue()


def frame(grid: Grid, columns: list[str], index: list[str]) -> str:
    """As pandas prints one."""
    width = max(map(len, index))
    head = " " * width + "".join(f"{column:>4}" for column in columns)
    return "\n".join(
        [head, *(f"{i:<{width}}" + "".join(f"{n:4}" for n in row) for i, row in zip(index, grid, strict=True))]
    )


def grids(grid: Grid) -> dict[str, str]:
    """A numbered grid in many spellings."""
    rows, cols = len(grid), len(grid[0])
    letters = [chr(97 + col) for col in range(cols)]
    ranks = [str(rows - row) for row in range(rows)]
    flat = [n for row in grid for n in row]
    plain = "\n".join(" ".join(f"{n:2}" for n in row) for row in grid)
    tight = "\n".join(" ".join(map(str, row)) for row in grid)
    lines = plain.splitlines()
    from_0 = [[n - 1 for n in row] for row in grid]
    comma = [", ".join(map(str, row)) for row in grid]
    ampersands = [" & ".join(map(str, row)) for row in grid]
    array = np.array(grid)
    bars = "\n".join("| " + " | ".join(map(str, row)) + " |" for row in grid)
    markdown = "| " + " | ".join(letters) + " |\n|" + "---|" * cols + "\n" + bars
    ranked = ["| " + rank + " | " + " | ".join(map(str, row)) + " |" for rank, row in zip(ranks, grid, strict=True)]
    return {
        "plain": plain,
        "tight": tight,
        "from 0": "\n".join(" ".join(map(str, row)) for row in from_0),
        "zeros before": "\n".join(" ".join(f"{n:02}" for n in row) for row in grid),
        "wide zeros": "\n".join(" ".join(f"{n:04}" for n in row) for row in grid),
        "tabs": "\n".join("\t".join(map(str, row)) for row in grid),
        "tabs before": "\n".join("\t" + "\t".join(map(str, row)) for row in grid),
        "two tabs": "\n".join("\t\t".join(map(str, row)) for row in grid),
        "carriage returns": tight.replace("\n", "\r"),
        "windows": "\ufeff" + plain.replace("\n", "\r\n") + "\r\n",
        "blank lines": plain.replace("\n", "\n\n"),
        "no-break spaces": tight.replace(" ", "\u00a0"),
        "thin spaces": tight.replace(" ", "\u2009"),
        "ideographic": tight.replace(" ", "\u3000"),
        "full width": tight.translate({48 + n: 0xFF10 + n for n in range(10)}),
        "underscores": "\n".join(" ".join(f"{n:_>2}" for n in row) for row in grid),
        "underscores between": "\n".join("_".join(f"{n:2}" for n in row) for row in grid),
        "dots before": "\n".join(" ".join(f"{n:.>3}" for n in row) for row in grid),
        "floats": "\n".join(" ".join(f"{n}.0" for n in row) for row in grid),
        "numpy floats": str(array.astype(float)),
        "quoted": written(grid, quoting=csv.QUOTE_ALL),
        "csv": written(grid),
        "csv, comma after": "\n".join(line + "," for line in comma),
        "csv, comma between lines": ",\n".join(comma),
        "csv, semicolons": written(grid, delimiter=";"),
        "csv with a head": written([letters, *grid]),  # type: ignore[list-item]
        "csv with head and index": written([["", *letters], *([r, *row] for r, row in zip(ranks, grid, strict=True))]),  # type: ignore[list-item]
        "pandas to_csv": written([["", *range(cols)], *([r, *row] for r, row in enumerate(grid))]),  # type: ignore[list-item]
        "pandas": frame(grid, [str(col) for col in range(cols)], [str(row) for row in range(rows)]),
        "pandas with names": frame(grid, letters, ranks),
        "pandas in capitals": frame(grid, [letter.upper() for letter in letters], ranks),
        "excel": frame(grid, [letter.upper() for letter in letters], [str(row + 1) for row in range(rows)]),
        "savetxt": saved(grid),
        "savetxt of floats": saved(grid, fmt="%.1f"),
        "savetxt with a head": saved(grid, fmt="%d", header="a knight's tour"),
        "numpy": str(array),
        "numpy repr": repr(array),
        "numpy repr with dtype": f"array({grid}, dtype=int32)",
        "numpy of small ints": repr(array.astype(np.int16)),
        "json": json.dumps(grid),
        "json of an object": json.dumps({"board": grid}),
        "json with a size": json.dumps({"rows": rows, "cols": cols, "grid": grid}),
        "json, pretty": json.dumps(grid, indent=2),
        "json of strings": json.dumps([[str(n) for n in row] for row in grid]),
        "tuples": str(tuple(map(tuple, grid))),
        "python": f"board = {grid}",
        "lisp": "(" + " ".join("(" + " ".join(map(str, row)) + ")" for row in grid) + ")",
        "lisp quoted": "'(" + "\n  ".join("(" + " ".join(map(str, row)) + ")" for row in grid) + ")",
        "c": f"int board[{rows}][{cols}] = {{\n" + ",\n".join("  {" + line + "}" for line in comma) + "\n};",
        "c without a name": "{" + ",".join("{" + line + "}" for line in comma) + "}",
        "java": "new int[][] {" + ", ".join("{" + line + "}" for line in comma) + "}",
        "rust": "[" + ", ".join("[" + line + "]" for line in comma) + "];",
        "mathematica": "{" + ", ".join("{" + line + "}" for line in comma) + "}",
        "matlab": "A = [" + "; ".join(" ".join(map(str, row)) for row in grid) + "];",
        "matlab over lines": "A = [" + ";\n     ".join(" ".join(map(str, row)) for row in grid) + "]",
        "maxima": "matrix(" + ", ".join("[" + line + "]" for line in comma) + ")",
        "r": " " * 5
        + " ".join(f"[,{col + 1}]" for col in range(cols))
        + "\n"
        + "\n".join(f"[{row + 1},] " + " ".join(f"{n:4}" for n in line) for row, line in enumerate(grid)),
        "ruby": "[" + ",\n ".join("[" + line + "]" for line in comma) + "]",
        "php": "[" + "".join("[" + line + "], " for line in comma) + "]",
        "yaml": "\n".join("- [" + line + "]" for line in comma),
        "markdown": "| " + " | ".join(map(str, grid[0])) + " |\n|" + "---|" * cols + "\n" + bars.partition("\n")[2],
        "markdown with a head": markdown,
        "markdown, aligned": markdown.replace("---", "---:"),
        "markdown with ranks": "|   | "
        + " | ".join(letters)
        + " |\n|"
        + "---|" * (cols + 1)
        + "\n"
        + "\n".join(ranked),
        "latex": "\\begin{array}{" + "c" * cols + "}\n" + " \\\\\n".join(ampersands) + "\n\\end{array}",
        "latex with lines": "\\begin{tabular}{|"
        + "c|" * cols
        + "}\n\\hline\n"
        + "".join(f"{line} \\\\ \\hline\n" for line in ampersands)
        + "\\end{tabular}",
        "latex on one line": "\\begin{pmatrix} " + " \\\\ ".join(ampersands) + " \\end{pmatrix}",
        "latex in bold": "\\begin{tabular}{c}\n"
        + "\\\\\n".join(" & ".join(f"\\textbf{{{n}}}" for n in row) for row in grid)
        + "\n\\end{tabular}",
        "ascii frame": framed(grid, "-", "|", "+"),
        "ascii frame, double": framed(grid, "=", "|", "+"),
        "box": boxed(grid),
        "box with ranks": "\n".join(
            f"{rank} │" + "│".join(f"{n:2}" for n in row) + "│" for rank, row in zip(ranks, grid, strict=True)
        )
        + "\n   "
        + "  ".join(letters),
        "html": html(grid),
        "org": bars.replace("\n", "\n|" + "+".join("---" for _ in letters) + "|\n", 1),
        "ranks before": "\n".join(f"{rank}  {line}" for rank, line in zip(ranks, lines, strict=True)),
        "ranks with dots": "\n".join(f"{rank}. {line}" for rank, line in zip(ranks, lines, strict=True)),
        "ranks with colons": "\n".join(f"{rank}: {line}" for rank, line in zip(ranks, lines, strict=True)),
        "ranks with bars, files below": "\n".join(f"{rank} | {line} |" for rank, line in zip(ranks, lines, strict=True))
        + "\n  +"
        + "-" * (3 * cols)
        + "+\n     "
        + "  ".join(letters),
        "ranks after": "\n".join(f"{line}  {rank}" for rank, line in zip(ranks, lines, strict=True)),
        "ranks on both sides": "    "
        + "  ".join(letters)
        + "\n"
        + "\n".join(f"{rank}  {line}  {rank}" for rank, line in zip(ranks, lines, strict=True))
        + "\n    "
        + "  ".join(letters),
        "files above": "  " + "  ".join(letters) + "\n" + plain,
        "files below, in capitals": plain + "\n" + "  ".join(letter.upper() for letter in letters),
        "numbers around, from 0": "   "
        + "  ".join(str(col) for col in range(cols))
        + "\n"
        + "\n".join(f"{row} {line}" for row, line in enumerate(lines)),
        "numbers around, from 1": "   "
        + "  ".join(str(col + 1) for col in range(cols))
        + "\n"
        + "\n".join(f"{row + 1} {line}" for row, line in enumerate(lines)),
        "rows by name": "\n".join(f"Row {row + 1}: {line}" for row, line in enumerate(lines)),
        "a title": f"A knight's tour of the {rows}x{cols} board:\n\n{plain}\n",
        "a title below": f"{plain}\n\nFound in 0.35 s after 1204 steps.\n",
        "a size above": f"{rows} {cols}\n{tight}",
        "yes above": f"YES\n{tight}",
        "size on one line": f"{rows}\n{tight}" if rows == cols else tight,
        "bars between rows": " | ".join(" ".join(map(str, row)) for row in grid),
        "slashes between rows": " / ".join(" ".join(map(str, row)) for row in grid),
        "slashes, no space": "/".join(" ".join(map(str, row)) for row in grid),
        "semicolons between rows": "; ".join(" ".join(map(str, row)) for row in grid),
        "commas between rows": ", ".join(" ".join(map(str, row)) for row in grid),
        "brackets around cells": "\n".join("".join(f"[{n:2}]" for n in row) for row in grid),
        "parentheses around cells": "\n".join(" ".join(f"({n})" for n in row) for row in grid),
        "dashes between": "\n".join("-".join(f"{n:02}" for n in row) for row in grid),
        "bold": "\n".join(" ".join(f"**{n}**" for n in row) for row in grid),
        "escaped": repr(tight),
        **{
            f"after {sign}": "\n".join(f"{sign} {line}" for line in lines)
            for sign in ("#", "//", "--", ">", "*", "%", ";")
        },
        "after # alone": "\n".join(f"#{line}" for line in lines),
        **printed(grid),
        "one line": " ".join(map(str, flat)),
        "one line of commas": ",".join(map(str, flat)),
        "wrapped": "\n".join(" ".join(map(str, flat[at : at + 7])) for at in range(0, len(flat), 7)),
        "one a line": "\n".join(map(str, flat)),
    }


def printed(grid: Grid) -> dict[str, str]:
    """As consoles, forums and spreadsheets show it."""
    rows, cols = len(grid), len(grid[0])
    letters = [chr(97 + col) for col in range(cols)]
    flat = [n for row in grid for n in row]
    tight = "\n".join(" ".join(map(str, row)) for row in grid)
    comma = [", ".join(map(str, row)) for row in grid]

    def each(form: Callable[[int], str], between: str = " ") -> str:
        return "\n".join(between.join(map(form, row)) for row in grid)

    heads = "".join(f"<th>{letter}</th>" for letter in letters)
    cells = [f"<tr><th>{rows - r}</th>" + "".join(f"<td>{n}</td>" for n in row) for r, row in enumerate(grid)]
    return {
        "matlab, printed": "A =\n\n" + each("{:6}".format, "") + "\n",
        "julia, printed": f"{rows}\u00d7{cols} Matrix{{Int64}}:\n" + each("{:3}".format),
        "r, a vector": "\n".join(
            f"[{at + 1:2}] " + " ".join(map(str, flat[at : at + 5])) for at in range(0, len(flat), 5)
        ),
        "r, called": f"matrix(c({', '.join(map(str, flat))}), byrow=TRUE)",
        "perl": "$VAR1 = [\n" + ",\n".join(f"  [{row}]" for row in comma) + "\n];",
        "forum": "[table]" + "".join("[tr]" + "".join(f"[td]{n}[/td]" for n in row) + "[/tr]" for row in grid),
        "html with heads": f"<table><thead><tr><th></th>{heads}</tr></thead>{'</tr>'.join(cells)}</tr></table>",
        "html in capitals": "<TABLE>" + "".join("<TR>" + "".join(f"<TD>{n}" for n in row) for row in grid),
        "commas before fractions": each("{},00".format, ";"),
        "keycaps": each(lambda n: "".join(f"{digit}\ufe0f\u20e3" for digit in str(n))),
        "Arabic digits": tight.translate({48 + n: 0x660 + n for n in range(10)}),
        "wiki": "{|\n" + "".join("|-\n| " + " || ".join(map(str, row)) + "\n" for row in grid) + "|}",
        "bold digits": tight.translate({48 + n: 0x1D7CE + n for n in range(10)}),
        "colours of a terminal": each("\x1b[1;32m{:2}\x1b[0m".format),
        "colours of latex": " \\\\\n".join(" & ".join(f"\\cellcolor{{gray}}{n}" for n in row) for row in grid),
        "a letter before each": each("N{}".format),
        "a named size above": (f"N = {rows}\n" if rows == cols else "") + tight,
        "json of objects": json.dumps([dict(zip(letters, row, strict=True)) for row in grid]),
        "php": "".join("Array(\n" + "".join(f"  [{at}] => {n}\n" for at, n in enumerate(row)) + ")\n" for row in grid),
    }


def lists(rows: int, cols: int, squares: list[Square]) -> dict[str, str]:
    """Squares in order, in many spellings."""
    names = [name(square, rows) for square in squares]
    pairs = list(squares)
    from_1 = [(row + 1, col + 1) for row, col in squares]
    numbers = [row * cols + col for row, col in squares]
    steps = list(enumerate(pairs, 1))
    moves = list(itertools.pairwise(names))
    return {
        "names": " ".join(names),
        "names in capitals": " ".join(names).upper(),
        "names, commas": ", ".join(names),
        "names, lines": "\n".join(names),
        "names, semicolons": ";".join(names),
        "names, dashes": "-".join(names),
        "names, dashes and spaces": " - ".join(names),
        "names, en dashes": "\u2013".join(names),
        "names, em dashes": " \u2014 ".join(names),
        "names, arrows": " -> ".join(names),
        "names, tight arrows": "->".join(names),
        "names, long arrows": " --> ".join(names),
        "names, fat arrows": " => ".join(names),
        "names, drawn arrows": "\u2192".join(names),
        "names, drawn arrows and spaces": " \u2192 ".join(names),
        "names, greater": " > ".join(names),
        "names, bars": " | ".join(names),
        "names, colons": ":".join(names),
        "names, to": " to ".join(names),
        "names, run together": "".join(names).upper(),
        "names, run together, small": "".join(names),
        "names, python": repr(names),
        "names, json": json.dumps({"tour": names}),
        "names, json of another key": json.dumps({"n": rows, "path": names}),
        "names, numbered": " ".join(f"{n}. {s}" for n, s in enumerate(names, 1)),
        "names, numbered tightly": " ".join(f"{n}.{s}" for n, s in enumerate(names, 1)),
        "names, numbered lines": "\n".join(f"{n}: {s}" for n, s in enumerate(names, 1)),
        "names, numbered in parentheses": "\n".join(f"{n}) {s}" for n, s in enumerate(names, 1)),
        "names, numbered from 0": "\n".join(f"{n} {s}" for n, s in enumerate(names)),
        "names, table": "step,square\n" + "\n".join(f"{n},{s}" for n, s in enumerate(names, 1)),
        "names, table backwards": "step,square\n"
        + "\n".join(f"{n},{s}" for n, s in reversed(list(enumerate(names, 1)))),
        "names, bullets": "\n".join(f"- {s}" for s in names),
        "names, stars": "\n".join(f"* {s}" for s in names),
        "names after a title": f"A knight's tour: {' '.join(names)}",
        "names after a title with a size": f"Tour of the {rows}x{cols} board:\n{', '.join(names)}.",
        "names in sentences": "\n".join(f"Move {n}: the knight goes to {s}." for n, s in enumerate(names, 1)),
        "knight names": " ".join(f"N{s}" for s in names),
        "knight's sign": " ".join(f"\u2658{s}" for s in names),
        "german": " ".join(f"S{s}" for s in names),
        "numbered knight names": " ".join(f"{n}. N{s}" for n, s in enumerate(names, 1)),
        "start, then moves": names[0] + " " + " ".join(f"N{s}" for s in names[1:]),
        "moves": " ".join(f"{a}-{b}" for a, b in moves),
        "knight moves": " ".join(f"N{a}-{b}" for a, b in moves),
        "moves by arrows": ", ".join(f"{a} -> {b}" for a, b in moves),
        "moves in lines": "\n".join(f"{a} {b}" for a, b in moves),
        "numbered moves": "\n".join(f"{n}. {a}-{b}" for n, (a, b) in enumerate(moves, 1)),
        "uci": " ".join(f"{a}{b}" for a, b in moves),
        "pairs": " ".join(map(str, pairs)),
        "pairs, tight": "".join(f"({r},{c})" for r, c in pairs),
        "pairs, python": str(pairs),
        "pairs, lists": json.dumps(pairs),
        "pairs, arrows": " -> ".join(map(str, pairs)),
        "pairs, drawn arrows": "\u2192".join(f"({r},{c})" for r, c in pairs),
        "pairs, lines": "\n".join(f"{r} {c}" for r, c in pairs),
        "pairs, lines of commas": "\n".join(f"{r},{c}" for r, c in pairs),
        "pairs, lines of parentheses": "\n".join(map(str, pairs)),
        "pairs, semicolons": "\n".join(f"{r};{c}" for r, c in pairs),
        "pairs, slashes": " ".join(f"{r}/{c}" for r, c in pairs),
        "pairs, colons": " ".join(f"{r}:{c}" for r, c in pairs),
        "pairs, braces": "{" + ", ".join(f"{{{r}, {c}}}" for r, c in pairs) + "}",
        "pairs, angle brackets": " ".join(f"<{r},{c}>" for r, c in pairs),
        "pairs from 1": " ".join(map(str, from_1)),
        "pairs from 1, lines": "\n".join(f"{r} {c}" for r, c in from_1),
        "pairs, two digits": " ".join(f"{r}{c}" for r, c in pairs),
        "pairs, two digits from 1": " ".join(f"{r}{c}" for r, c in from_1),
        "pairs, run together": "".join(f"{r}{c}" for r, c in pairs),
        "pairs, numbered": "\n".join(f"{n}: ({r}, {c})" for n, (r, c) in steps),
        "pairs, numbered with dots": "\n".join(f"{n}. ({r}, {c})" for n, (r, c) in steps),
        "pairs, numbered plainly": "\n".join(f"{n} {r} {c}" for n, (r, c) in steps),
        "pairs, numbered from 0": "\n".join(f"{n} {r} {c}" for n, (r, c) in enumerate(pairs)),
        "pairs, step by step": "\n".join(f"Step {n}: ({r}, {c})" for n, (r, c) in steps),
        "pairs, moves": "\n".join(f"{a} -> {b}" for a, b in itertools.pairwise(pairs)),
        "pairs, numpy": str(np.array(pairs)),
        "pairs, numpy repr": repr(np.array(pairs)),
        "pairs, object": json.dumps({"n": rows, "path": pairs}),
        "table": "step,row,col\n" + "\n".join(f"{n},{r},{c}" for n, (r, c) in steps),
        "table, other order": "col,row,step\n" + "\n".join(f"{c},{r},{n}" for n, (r, c) in steps),
        "table, x and y": "x,y\n" + "\n".join(f"{c},{r}" for r, c in pairs),
        "table, y and x": "y x\n" + "\n".join(f"{r} {c}" for r, c in pairs),
        "table, column and row": "column\trow\n" + "\n".join(f"{c}\t{r}" for r, c in from_1),
        "table, file and rank": "file,rank\n" + "\n".join(f"{c + 1},{rows - r}" for r, c in pairs),
        "table, markdown": "| step | row | col |\n|---|---|---|\n"
        + "\n".join(f"| {n} | {r} | {c} |" for n, (r, c) in steps),
        "keys": json.dumps([{"x": c, "y": r} for r, c in pairs]),
        "keys, other order": json.dumps([{"y": r, "x": c} for r, c in pairs]),
        "keys, row and col": json.dumps([{"row": r, "col": c} for r, c in pairs]),
        "keys, equals": "\n".join(f"x={c}, y={r}" for r, c in pairs),
        "keys, r and c": " ".join(f"r{r}c{c}" for r, c in from_1),
        "square numbers": " ".join(map(str, numbers)),
        "square numbers, commas": ",".join(map(str, numbers)),
        "square numbers, lines": "\n".join(map(str, numbers)),
        "square numbers, arrows": " -> ".join(map(str, numbers)),
        "square numbers, json": json.dumps(numbers),
        "square numbers from 1": " ".join(str(n + 1) for n in numbers),
        "ranks from 0": " ".join(f"{chr(97 + c)}{rows - 1 - r}" for r, c in pairs),
        "names in R": "\n".join(
            f"[{at + 1}] " + " ".join(f'"{s}"' for s in names[at : at + 5]) for at in range(0, len(names), 5)
        ),
        "table in French": "étape,ligne,colonne\n" + "\n".join(f"{n},{r + 1},{c + 1}" for n, (r, c) in steps),
        "table in Italian": "passo;colonna;riga\n" + "\n".join(f"{n};{c + 1};{r + 1}" for n, (r, c) in steps),
        "table in Portuguese": "passo,coluna,linha\n" + "\n".join(f"{n},{c + 1},{r + 1}" for n, (r, c) in steps),
        "table in Dutch": "stap,kolom,rij\n" + "\n".join(f"{n},{c + 1},{r + 1}" for n, (r, c) in steps),
        "table in Russian": "ход,столбец,строка\n" + "\n".join(f"{n},{c + 1},{r + 1}" for n, (r, c) in steps),
        "table in Chinese": "步,列,行\n" + "\n".join(f"{n},{c + 1},{r + 1}" for n, (r, c) in steps),
        "pandas, x and y": "    x  y\n" + "\n".join(f"{n:<3} {c} {r}" for n, (r, c) in enumerate(pairs)),
        "all x, all y": json.dumps({"x": [c for _, c in pairs], "y": [r for r, _ in pairs]}),
        "square numbers, pandas": "\n".join(f"{n:<4} {number}" for n, number in enumerate(numbers)) + "\ndtype: int64",
        "square numbers in R": "\n".join(
            f"[{at + 1}] " + " ".join(map(str, numbers[at : at + 5])) for at in range(0, len(numbers), 5)
        ),
        "square numbers, tsplib": f"NAME : t\nTYPE : TOUR\nDIMENSION : {len(numbers)}\nTOUR_SECTION\n"
        + "\n".join(str(n + 1) for n in numbers)
        + "\n-1\nEOF\n",
    }
