"""Builds the Python package. Usage: build.py FOLDER VERSION. The folder then has the wheel and the sdist.

With the same sources, both files are the same. It needs flit_core and ruff, which `cargo xtask setup` installs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from flit_core import buildapi
from generate import generate

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# 1980 is the first year that a zip file can name. npm's tarballs also have a constant time.
TIME = "315532800"


def main(folder: Path, version: str) -> None:
    """Build both files from a copy of the sources, with the generated modules."""
    manifest = (HERE / "pyproject.toml").read_text()
    if f'\nversion = "{version}"\n' not in manifest:
        raise SystemExit(f"www/packages/python/pyproject.toml does not have the version {version}")
    shutil.rmtree(folder, ignore_errors=True)
    sources = folder / "sources"
    package = sources / "src/linchpin"
    shutil.copytree(HERE / "src", sources / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (HERE / "pyproject.toml", HERE / "README.md", ROOT / "LICENSE-MIT", ROOT / "LICENSE-APACHE"):
        shutil.copy(file, sources)
    generate(json.loads((ROOT / "docs/openapi.json").read_text()), package)
    ruff = Path(sys.executable).with_name("ruff")
    subprocess.run([ruff, "format", "--quiet", "--config", HERE / "pyproject.toml", package], check=True)
    os.environ["SOURCE_DATE_EPOCH"] = TIME
    # The backend builds the folder in which it runs.
    os.chdir(sources)
    for build in (buildapi.build_wheel, buildapi.build_sdist):
        print(f"packages: {build(str(folder))}")


main(Path(sys.argv[1]).resolve(), sys.argv[2])
