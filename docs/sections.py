"""What stands below the parameters of a docstring, as readers of numpy's style see it."""

import re
from typing import Any

import griffe

#: The head of a section whose items are names, each with an indented text.
HEAD = re.compile(r"(Parameters|Attributes|Returns|Raises)\n-+\n")


class Sections(griffe.Extension):
    """Ends a section where unindented prose begins, which the parser would take for more names."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change a docstring before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = with_ends(obj.docstring.value)


def with_ends(text: str) -> str:
    """The text with the end of each section marked."""
    begun, lines = False, []
    for number, line in enumerate(text.split("\n")):
        head = HEAD.match("\n".join(text.split("\n")[number : number + 2]) + "\n")
        if head:
            begun = True
        elif begun and re.match(r"[^\s,]+ [^:]", line) and not re.match(r"[\w*]+(, [\w*]+)*( :.*)?$", line):
            lines += ["Notes", "-----"]
            begun = False
        lines.append(line)
    return "\n".join(lines)
