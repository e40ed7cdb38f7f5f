"""The types of the installed package, as mypy reads them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from importlib.resources import files
from pathlib import Path

HERE = Path(__file__).resolve().parent


def check(*arguments) -> list[str]:
    """Run mypy in strict mode, and return its errors as `line code`."""
    with tempfile.TemporaryDirectory() as cache:
        program = [os.environ["LINCHPIN_MYPY"], "--strict", "--python-executable", sys.executable, "--cache-dir", cache]
        done = subprocess.run([*program, *map(str, arguments)], capture_output=True, text=True, cwd=cache, check=False)
    if done.returncode > 1 or done.stderr:
        raise AssertionError(done.stderr or done.stdout)
    return re.findall(r"^[^:]+:(\d+): error: .*\[([a-z-]+)\]$", done.stdout, re.MULTILINE)


class Types(unittest.TestCase):
    def test_right_uses_pass(self):
        self.assertEqual(check(HERE / "right_use.py"), [])
        self.assertEqual(check(HERE.parents[1] / "clients/package.py"), [])

    def test_wrong_uses_fail(self):
        lines = (HERE / "wrong_use.py").read_text().splitlines()
        expected = [(str(at), line.split("  # ")[1]) for at, line in enumerate(lines, 1) if "  # " in line]
        self.assertGreaterEqual(len(expected), 15)
        self.assertEqual(check(HERE / "wrong_use.py"), expected)

    def test_package_itself_passes(self):
        package = files("linchpin")
        self.assertEqual(check("--python-version", "3.10", "-p", "linchpin"), [])
        self.assertEqual(
            sorted(it.name for it in package.iterdir() if it.name.endswith(("py", "typed"))),
            [
                "__init__.py",
                "_errors.py",
                "_operations.py",
                "_transport.py",
                "_webhooks.py",
                "py.typed",
                "types.py",
            ],
        )
