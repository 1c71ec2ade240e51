"""How long `import knightstour` takes: the difference between the two."""

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture


@pytest.mark.benchmark(group="import")
@pytest.mark.parametrize("code", ["pass", "import knightstour"])
def test_import(benchmark: BenchmarkFixture, code: str) -> None:
    code += "; import sys; print('knightstour' in sys.modules)"
    done = benchmark.pedantic(  # type: ignore[no-untyped-call]
        subprocess.run,
        args=([sys.executable, "-c", code],),
        kwargs={"capture_output": True, "check": True, "text": True},
        rounds=30,
        warmup_rounds=2,
    )
    assert done.stdout == f"{'knightstour' in code.split(';', maxsplit=1)[0]}\n"
