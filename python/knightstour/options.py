"""The names that options take. For type checkers and the command line: the library does without it at run time."""

from typing import Literal, TypeAlias

Method: TypeAlias = Literal["auto", "backtracking", "construction", "frontier", "tidy", "warnsdorff"]
Order: TypeAlias = Literal["warnsdorff", "fixed"]
Ties: TypeAlias = Literal["first", "random", "outward", "pohl", "squirrel"]
Lookahead: TypeAlias = Literal["none", "dead-ends", "forced", "full"]
LineFormat: TypeAlias = Literal["names", "csv", "json"]
Measure: TypeAlias = Literal[
    "turns", "angles", "slopes", "crossings", "row_sums", "column_sums", "is_semimagic", "is_magic"
]
