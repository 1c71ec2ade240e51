"""How the source is connected: of the files of a folder, none imports one that imports it, however indirectly."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[2]

Name = tuple[str, ...]

# The folders of the core: each imports only from those before it.
FOLDERS = ("store", "run", "board", "symmetry", "request", "theorems", "engines", "answers", "python")


def assert_no_circle(graph: Mapping[str, set[str]], where: str) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = " <- ".join(error.args[1])
        raise AssertionError(f"files of {where} import each other: {circle}") from None


def among_siblings(imports: Mapping[Name, set[Name]]) -> dict[Name, dict[str, set[str]]]:
    """For each folder its files and folders, each with those that something in it imports.

    A module and its own parts may know each other.
    """
    folders: dict[Name, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one, others in imports.items():
        for other in others:
            shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
            if shared is not None:
                folders[one[:shared]][one[shared]].add(other[shared])
    return folders


class Rust:
    """The modules of a crate by their paths, and what each names."""

    def __init__(self, root: Path) -> None:
        self.code: dict[Name, str] = {}
        for file in root.rglob("*.rs"):
            name = file.relative_to(root).with_suffix("").parts
            name = name[:-1] if name[-1] in {"mod", "lib"} else name
            text = re.sub(r"//[^\n]*", "", file.read_text(encoding="utf-8"))
            # The tests of a module may look anywhere.
            self.code[name] = text.partition("#[cfg(test)]\nmod ")[0]
        self.uses = {
            name: [path for tree in re.findall(r"\buse\s+([^;]+);", code) for path in leaves(" ".join(tree.split()))]
            for name, code in self.code.items()
        }

    def absolute(self, module: Name, path: Name) -> Name | None:
        """A path as seen from the crate, if it is one of the crate."""
        here = module
        match path:
            case ("crate", *rest):
                return tuple(rest)
            case ("self", *rest):
                return (*here, *rest)
            case ("super", *_):
                while path and path[0] == "super":
                    here, path = here[:-1], path[1:]
                return (*here, *path)
            case _:
                return (*here, *path) if (*here, path[0]) in self.code else None

    def home(self, path: Name) -> Name:
        """The module that a path leads to: one that a module only hands on is that of its origin."""
        module = next(path[:end] for end in range(len(path), -1, -1) if path[:end] in self.code)
        for used, alias in self.uses[module] if len(path) > len(module) else ():
            if alias == path[len(module)]:
                origin = self.absolute(module, used)
                if origin is not None and origin != path:
                    return self.home(origin)
        return module

    def imports(self) -> dict[Name, set[Name]]:
        """For each module those whose items it names."""
        found: dict[Name, set[Name]] = {}
        for module, code in self.code.items():
            inline = re.findall(r"\b((?:crate|self|super)(?:::\w+)+)", code)
            paths = [path for path, _ in self.uses[module]] + [tuple(path.split("::")) for path in inline]
            absolute = (self.absolute(module, path) for path in paths)
            found[module] = {self.home(path) for path in absolute if path is not None} - {module}
        return found


def leaves(tree: str, prefix: Name = ()) -> Iterator[tuple[Name, str]]:
    """What a `use` names: paths, each with the name that it gets."""
    depth, parts = 0, [""]
    for letter in tree:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    for part in filter(None, map(str.strip, parts)):
        head, brace, rest = part.partition("{")
        path, _, alias = head.partition(" as ")
        names = (*prefix, *(name.strip() for name in path.split("::") if name.strip()))
        if brace:
            yield from leaves(rest.rpartition("}")[0], names)
        else:
            names = names[:-1] if names[-1] == "self" else names
            yield names, alias.strip() or names[-1]


def test_files_of_the_core_import_in_one_direction() -> None:
    folders = among_siblings(Rust(ROOT / "src").imports())
    top = folders[()]
    assert "request" in top["theorems"], "the folders of the core were not found"
    for at, name in enumerate(FOLDERS):
        assert top[name] <= {*FOLDERS[:at], ""}, f"{name}/ imports from a folder that comes after it"
    for folder, graph in folders.items():
        assert_no_circle(graph, "/".join(("src", *folder)))


def test_only_the_binding_knows_of_python() -> None:
    code = Rust(ROOT / "src").code
    assert "pyo3" in code["python",]
    assert [name for name, text in code.items() if name[:1] != ("python",) and re.search(r"\bpyo3\b", text)] == []
    # And of the package's modules only its registry, beside the exceptions.
    assert '"knightstour.tours"' in code["python", "registry"]
    naming = [name for name, text in code.items() if re.search(r'"knightstour\.[a-z]\w*"', text)]
    assert naming == [("python", "registry")]


def test_whatever_takes_time_is_one_kind_of_task() -> None:
    """The binding runs it by one function; iterators of tours and of paths go on by slices of their own."""
    code = Rust(ROOT / "src").code
    loops = {name[-1] for name, text in code.items() if name[:1] == ("python",) and "begin_slice" in text}
    assert loops == {"run", "listing", "paths"}
    tasks = re.findall(r"impl Task for (\w+)", "".join(code.values()))
    assert {"Count", "Find", "Prepare", "Draw", "Longest", "MakePuzzle", "Trials", "Uncrossed"} <= set(tasks)


def test_modules_of_the_package_import_in_one_direction() -> None:
    """What a function imports when it is called does not count, nor what only the type checker sees."""
    root = ROOT / "python"
    files = {".".join(file.relative_to(root).with_suffix("").parts): file for file in root.rglob("*.py")}
    graph: dict[str, set[str]] = {}
    for name, file in files.items():
        graph[name] = set()
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                # The packages only hand on what is in their modules.
                named = {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
                graph[name] |= named & files.keys()
    assert "knightstour.results" in graph["knightstour.tours"]
    assert_no_circle(graph, "python")


def test_a_circle_is_seen(tmp_path: Path) -> None:
    texts = {
        "lib.rs": "mod one; mod two; pub use one::{One, more::*};",
        "one.rs": "use crate::two::{self, Two as Second}; pub struct One;",
        "two.rs": "use std::fmt; use super::One; pub struct Two(One);",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert among_siblings(Rust(tmp_path).imports()) == {(): {"one": {"two"}, "two": {"one"}}}


def test_the_repository_holds_no_links() -> None:
    """A link leads to a place that other machines do not have."""
    links = [
        path
        for folder in ("src", "python", "tests", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.is_symlink()
    ]
    assert links == []
