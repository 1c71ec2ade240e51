"""The package as it is installed."""

import ast
import importlib
import importlib.metadata
import importlib.resources
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from knightstour import _core

ROOT = Path(__file__).parents[2]


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_importing_imports_no_more_than_it_needs() -> None:
    empty = set(run("import sys; print(*sys.modules)").split())
    loaded = set(run("import knightstour, sys; print(*sys.modules)").split()) - empty
    heavy = {
        "rich",
        "click",
        "numpy",
        "asyncio",
        "importlib.metadata",
        "subprocess",
    }
    assert not loaded & heavy
    assert {"knightstour", "knightstour._core"} <= loaded


def test_version_is_in_one_place() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    assert kt.__version__ == cargo["package"]["version"] == importlib.metadata.version("knightstour")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dynamic"] == ["version"]
    assert kt.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_is_typed() -> None:
    files = {file.name for file in importlib.resources.files("knightstour").iterdir()}
    assert {"py.typed", "_core.pyi"} <= files


def test_requirements() -> None:
    required = importlib.metadata.requires("knightstour") or []
    assert [name for name in required if "extra ==" not in name] == ["click>=8.5", "rich>=13"]


def test_public_names() -> None:
    assert sorted(kt.__all__) == list(kt.__all__)
    for name in kt.__all__:
        value = getattr(kt, name)
        assert name.startswith("__") or inspect.getdoc(value), name
    star: dict[str, Any] = {}
    exec("from knightstour import *", star)
    assert set(kt.__all__) <= set(star)


def test_classes_say_where_users_find_them() -> None:
    for name in ("Board", "Squares", "Tour"):
        found = getattr(kt, name)
        assert (found.__module__, found.__qualname__) == ("knightstour", name)
    assert kt.Square.__module__.startswith("knightstour")


def documented(node: ast.Module | ast.ClassDef, value: Any, at: str) -> list[tuple[str, str, str]]:
    """Each public name with its docstring in the stub and in the module."""
    found = []
    for item in node.body:
        if not isinstance(item, ast.ClassDef | ast.FunctionDef) or item.name.startswith("_"):
            continue
        name, member = f"{at}.{item.name}", inspect.getattr_static(value, item.name)
        member = member.__func__ if isinstance(member, staticmethod) else member
        found.append((name, ast.get_docstring(item) or "", inspect.cleandoc(member.__doc__ or "")))
        if isinstance(item, ast.ClassDef):
            found += documented(item, member, name)
    return found


def stub() -> ast.Module:
    file = Path(str(importlib.resources.files("knightstour"))) / "_core.pyi"
    return ast.parse(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("written", "told"),
    [pytest.param(*texts, id=name) for name, *texts in documented(stub(), _core, "_core")],
)
def test_the_stub_tells_what_help_tells(written: str, told: str) -> None:
    assert written
    assert written == told


def test_no_public_name_is_missing_from_the_stub() -> None:
    classes = {item.name: item for item in stub().body if isinstance(item, ast.ClassDef)}
    for name in ("Board", "Squares", "Tour"):
        written = {item.name for item in classes[name].body if isinstance(item, ast.FunctionDef)}
        assert {found for found in vars(getattr(_core, name)) if not found.startswith("_")} <= written


def public() -> dict[str, Any]:
    """Everything that users can name: functions, classes, and what these have themselves."""
    found: dict[str, Any] = {}
    for name in kt.__all__:
        value = getattr(kt, name)
        if not callable(value):
            continue
        found[name] = value
        if not inspect.isclass(value):
            continue
        own = {member for kind in value.__mro__ if kind.__module__.startswith("knightstour") for member in vars(kind)}
        for member in sorted(member for member in own if not member.startswith("_")):
            found[f"{name}.{member}"] = inspect.getattr_static(value, member)
    return found


def docstring(value: Any) -> str:
    """What `help` says of it."""
    return inspect.getdoc(value.__func__ if isinstance(value, staticmethod | classmethod) else value) or ""


def test_everything_public_has_a_docstring() -> None:
    """Fields of records and what is in slots are told in the docstring of their class."""
    for name, value in public().items():
        owner, _, member = name.partition(".")
        is_field = inspect.ismemberdescriptor(value) or not (callable(value) or hasattr(value, "__get__"))
        told = docstring(getattr(kt, owner)) if is_field else docstring(value)
        assert told, name
        assert not is_field or re.search(rf"^{member}$|^{member},|, {member}$|``{member}``", told, re.MULTILINE), name
        # A sentence, or a noun with its full stop.
        assert re.search(r"[.:]$", told.split("\n\n")[0].strip()), name


def test_every_parameter_is_told_of() -> None:
    """By its name, or by the function whose parameters a docstring says that these are."""
    calls = public()
    for name, value in calls.items():
        value = value.__func__ if isinstance(value, staticmethod | classmethod) else value  # noqa: PLW2901
        is_made = inspect.isclass(value) and (
            issubclass(value, BaseException) or "made by" in docstring(value) or hasattr(value, "as_dict")
        )
        if not callable(value) or is_made:
            continue
        told, owner = docstring(value), name.partition(".")[0]
        # One step further: `starts` says what `count` says, which says what `find` says.
        for _ in range(2):
            for other in set(re.findall(r"(?:those of|[Aa]s for|the errors of)\s+`([\w.]+)`", told)):
                told += docstring(calls.get(f"{owner}.{other}", calls.get(other)))
        for parameter, is_given in inspect.signature(value).parameters.items():
            if parameter != "self" and is_given.kind is not is_given.VAR_KEYWORD:
                assert re.search(rf"\b{parameter}\b", told), (name, parameter)
