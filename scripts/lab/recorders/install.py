"""Installs recorders and readers, in the versions named here, into a separate folder.

If a package cannot be installed, it raises `NotInstalled` with the reason. It skips installed
packages.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# The readers with which huller is compared. warcio asks for brotlipy; with another binding of
# brotli it fails.
READERS = ["warcio==1.8.1", "fastwarc==2.0.1", "brotlipy==0.7.0"]
WARCIO = ["warcio==1.8.1", "requests==2.34.2", "urllib3==2.8.0"]
WARCPROX = ["warcprox==2.13.1"]
SCRAPY_WEBARCHIVE = ["scrapy-webarchive==0.5.3", "scrapy==2.11.2", "warcio==1.7.4", "twisted==24.11.0", "w3lib==2.1.2"]
SCRAPY_WARCIO = ["scrapy-warcio==0.0.8", "scrapy==2.13.4", "warctools==5.0.1", "python-magic==0.4.27", "setuptools==80.9.0", "pyyaml==6.0.3"]
# wpull 2.0.1 is the newest on PyPI. It runs on Python 3.6 at most, and with these old versions of
# its dependencies.
WPULL = [
    "wpull==2.0.1",
    "tornado==4.5.3",
    "html5lib==0.9999999",
    "sqlalchemy==1.3.24",
    "yapsy==1.11.223",
    "chardet==3.0.4",
    "dnspython3==1.15.0",
    "namedlist==1.8",
]
NODE_PACKAGES = ["node-warc@3.3.1", "request@2.88.2", "warcio@2.4.11"]


class NotInstalled(Exception):
    """A recorder that cannot be had here, with the reason."""


def environment(**more):
    """Variables for recorders: the server is on this machine, so no proxy may come between."""
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return {**kept, "no_proxy": "127.0.0.1", **more}


def run(command, **options):
    """Runs an installer; what it said last becomes the reason if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from error
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
        errors = [line for line in lines if "error" in line.lower()] or lines
        raise NotInstalled(errors[-1] if errors else f"{command[0]} ended with {done.returncode}")


def packages(folder, name, wanted, python=sys.executable):
    """A virtual environment with these packages; gives the folder of its programs."""
    place = folder / name
    stamp = place / "installed"
    if not stamp.is_file() or stamp.read_text() != "\n".join(wanted):
        shutil.rmtree(place, ignore_errors=True)
        run([python, "-m", "venv", place])
        run([place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
        stamp.write_text("\n".join(wanted))
    return place / "bin"


def old_python(version):
    """An interpreter of an old version, on the path or from pyenv."""
    if found := shutil.which(f"python{version}", path=os.pathsep.join(plain_path())):
        return found
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for place in sorted(root.glob(f"versions/{version}.*/bin/python"), reverse=True):
        return str(place)
    raise NotInstalled(f"needs Python {version}, which is neither on the path nor below {root}/versions")


def plain_path():
    """The path without the shims of pyenv, which exist for versions that are not chosen, and then only say so."""
    return [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if Path(folder).name != "shims"]


def node_modules(folder):
    """A folder with the packages of npm; gives the folder in which scripts find them."""
    if not shutil.which("node") or not shutil.which("npm"):
        raise NotInstalled("needs node and npm")
    place = folder / "node"
    stamp = place / "installed"
    if not stamp.is_file() or stamp.read_text() != "\n".join(NODE_PACKAGES):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / "package.json").write_text('{"private": true}\n')
        run(["npm", "install", "--no-audit", "--no-fund", "--save-exact", *NODE_PACKAGES], cwd=place)
        stamp.write_text("\n".join(NODE_PACKAGES))
    return place


def program(name):
    """A program of the system; it is installed by apt where that is possible."""
    if found := shutil.which(name):
        return found
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise NotInstalled(f"{name} is not on the path, and apt-get cannot be used")
    run(["apt-get", "install", "--yes", "--quiet", name])
    if found := shutil.which(name):
        return found
    raise NotInstalled(f"apt-get installed {name}, but it is not on the path")
