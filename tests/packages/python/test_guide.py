"""The Python code of the guide and of the package's page, as mypy reads it."""

from __future__ import annotations

import re
import tempfile
import unittest
from pathlib import Path

from test_types import HERE, check

ROOT = HERE.parents[2]


class Guide(unittest.TestCase):
    def test_code_has_the_types_of_the_package(self):
        for page in ("docs/how-to/server-libraries.md", "www/packages/python/README.md"):
            with self.subTest(page), tempfile.TemporaryDirectory() as folder:
                blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
                self.assertGreaterEqual(len(blocks), 2)
                file = Path(folder) / "guide.py"
                file.write_text("\n".join(blocks))
                self.assertEqual(check(file), [])
