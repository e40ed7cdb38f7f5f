"""Runs the tests of the Python package with the interpreter in which it is installed, and prints their number."""

import sys
import unittest
from pathlib import Path

result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.discover(str(Path(__file__).parent)))
failed = len({str(test).split(" ")[0] for test, _ in result.failures + result.errors})
print(f"{result.testsRun - failed} passed")
if failed:
    print(f"{failed} failed")
sys.exit(bool(failed))
