"""The names that options take. For type checkers and the command line: the library does without it at run time."""

from typing import Literal, TypeAlias

FindMethod: TypeAlias = Literal["auto", "backtracking", "construction", "frontier", "tidy", "warnsdorff"]
CountMethod: TypeAlias = Literal["auto", "backtracking", "frontier"]
Order: TypeAlias = Literal["warnsdorff", "fixed"]
Ties: TypeAlias = Literal["first", "random", "outward", "pohl", "squirrel"]
Lookahead: TypeAlias = Literal["none", "dead-ends", "forced", "full"]
Wrap: TypeAlias = Literal["cols", "rows", "both"]
LineFormat: TypeAlias = Literal["names", "csv", "json"]
Measure: TypeAlias = Literal[
    "turns", "angles", "slopes", "crossings", "row_sums", "column_sums", "is_semimagic", "is_magic"
]
