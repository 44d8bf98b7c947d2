#!/usr/bin/env python3
"""Builds the files of a release from a commit (by default the last) into dist/ (docs/releases.md).

    scripts/release/dist.py [COMMIT]   builds the program as .tar.gz and .deb, the wheel, bills of
                                       materials and SHA256SUMS
    scripts/release/dist.py --again    builds the commit of dist/ in another folder, and fails if a
                                       byte differs

The script checks the commit out below target/. The built files are thus free of uncommitted files
and of this folder's name. Needs a network the first time (crates.io, PyPI); git, cargo, a C
compiler, dpkg-deb, unshare and Python 3.10. On x86-64 Linux with glibc.
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/dist-tools"
TARGET = "x86_64-unknown-linux-gnu"
AUDITABLE, CYCLONEDX = "0.7.7", "0.5.9"
COMPLETIONS = {"bash": "huller", "zsh": "_huller", "fish": "huller.fish"}
# The folders of shell completions in Debian.
COMPLETIONS_IN_DEBIAN = {
    "bash": "usr/share/bash-completion/completions",
    "zsh": "usr/share/zsh/vendor-completions",
    "fish": "usr/share/fish/vendor_completions.d",
}
OWN_LICENCES = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"]
# The file of licences of third-party code.
OTHERS = "LICENSES-OTHERS"
OF_MODELS = "crates/refine/models/LICENSE-BSD-3-Clause"
# Suffixes of source files whose names look like those of licences.
NO_LICENCE = {".rs", ".c", ".h", ".py", ".html"}
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
HEAD_OF_LICENCES = """\
What huller contains beside its own code, and under which terms.

glibc (https://sourceware.org/glibc/): LGPL-2.1-or-later. The program has it linked in, the Python package loads it. The sources of huller are
public, and `make dist` links them with whatever glibc is installed.
The standard library of Rust (https://www.rust-lang.org): MIT OR Apache-2.0.
"""
CONTROL = """\
Package: huller
Version: {version}
Architecture: amd64
Maintainer: The huller developers <huller@users.noreply.github.com>
Installed-Size: {kilobytes}
Recommends: ca-certificates
Section: text
Priority: optional
Homepage: https://github.com/huller/huller
Description: main text of crawled web pages
 Reads WARC dumps and other containers of crawled pages, takes navigation,
 adverts and chrome off each page, and writes its main text as a row. In the
 same pass rows are filtered, masked and signed; their duplicates are dropped
 and they are made searchable afterwards.
"""


def run(*command, cwd, environment=None):
    """Runs a command and gives what it prints."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=environment, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"error: failed: {' '.join(map(str, command))}")
    return done.stdout.decode()


def check_out(commit, source):
    """A commit in a folder of its own. One that is there already is brought to that commit, so that cargo need not begin anew."""
    if not (source / ".git").exists():
        run("git", "clone", "--quiet", "--shared", "--no-checkout", ROOT, source, cwd=ROOT)
    run("git", "checkout", "--quiet", "--detach", "--force", commit, cwd=source)


def environment_of(source, epoch, flags=()):
    """The environment of a build: nothing of the caller's that changes code, and names of folders replaced wherever compilers write them."""
    changes_code = re.compile(r"(CARGO_(BUILD|PROFILE|TARGET|ENCODED|INCREMENTAL).*|RUST(FLAGS|C_WRAPPER|C_WORKSPACE_WRAPPER)|C(XX)?FLAGS.*)$")
    environment = {name: value for name, value in os.environ.items() if not changes_code.match(name)}
    cargo_home = os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")
    renamed = [f"{source}=/huller", f"{cargo_home}=/cargo"]
    return environment | {
        "SOURCE_DATE_EPOCH": str(epoch),
        "CARGO_INCREMENTAL": "0",
        # Function names stay, for backtraces.
        "CARGO_PROFILE_RELEASE_STRIP": "debuginfo",
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join([f"--remap-path-prefix={names}" for names in renamed] + list(flags)),
        "CFLAGS": " ".join(f"-ffile-prefix-map={names}" for names in renamed),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def tool(name, version):
    """A subcommand of cargo in this version, which is installed if it is not there."""
    program = TOOLS / f"{name}-{version}" / "bin" / name
    if not program.exists():
        run("cargo", "install", "--quiet", "--locked", "--root", TOOLS / f"{name}-{version}", "--target-dir", TOOLS / "build", f"{name}@{version}", cwd=ROOT)
    return program


def build_program(source, epoch):
    """The program, linked statically, with the feature `remote`, and with the list of its crates in it."""
    environment = environment_of(source, epoch, ["-Ctarget-feature=+crt-static"])
    run(tool("cargo-auditable", AUDITABLE), "auditable", "build", "--release", "--locked", "--target", TARGET, "-p", "huller-cli", "--features", "remote", cwd=source, environment=environment)
    return source / "target" / TARGET / "release/huller"


def build_wheel(source, epoch, out):
    """The wheel, by scripts/release/python.sh of the commit, in the environments of this folder."""
    venvs = source / ".venv"
    if not venvs.is_symlink():
        (ROOT / ".venv").mkdir(exist_ok=True)
        venvs.symlink_to(ROOT / ".venv")
    # From this folder, maturin takes them into the wheel.
    package = source / "crates/python"
    for name in OWN_LICENCES:
        shutil.copy(source / name, package)
    (package / OTHERS).write_text(licences(source, epoch, "crates/python", None))
    # Its crate depends on crates outside of its workspace, and cargo includes the names of their
    # folders in symbols. No option changes this, so the crate is built where the checkout always
    # has the same path.
    at_mnt = 'mount --bind "$1" /mnt && cd /mnt && exec scripts/release/python.sh wheel'
    run("unshare", "--map-root-user", "--mount", "sh", "-c", at_mnt, "sh", source, cwd=source, environment=environment_of(pathlib.Path("/mnt"), epoch))
    wheels = list((source / "dist").glob("huller-*.whl"))
    if len(wheels) != 1:
        sys.exit("error: no wheel was built; see above")
    shutil.copy(wheels[0], out)


def bill_of_materials(source, epoch, crate, features, to):
    """What a crate is built from, as CycloneDX, without names of folders."""
    manifest = source / crate / "Cargo.toml"
    options = ["--features", features] if features else []
    run(
        tool("cargo-cyclonedx", CYCLONEDX), "cyclonedx", "--quiet", "--manifest-path", manifest, "--format", "json", "--spec-version", "1.5", "--target", TARGET,
        "--override-filename", "bom", *options, cwd=source, environment=environment_of(source, epoch),
    )  # fmt: skip
    text = (source / crate / "bom.json").read_text()
    to.write_text(text.replace(str(source), "/huller"))
    for written in source.glob("crates/*/bom.json"):
        written.unlink()


def licences(source, epoch, crate, features):
    """The licences of what a crate is built from, with their texts, each text once."""
    selection = ["--locked", "--manifest-path", f"{crate}/Cargo.toml", *(["--features", features] if features else [])]
    environment = environment_of(source, epoch)
    # Only crates that are compiled into it for this target, without those of tests or builds.
    edges = ["-e", "normal,no-proc-macro", "--target", TARGET]
    tree = run("cargo", "tree", *selection, *edges, "--prefix", "none", "-f", "{p}", cwd=source, environment=environment)
    shipped = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    metadata = json.loads(run("cargo", "metadata", "--format-version", "1", *selection, cwd=source, environment=environment))
    packages = [package for package in metadata["packages"] if package["source"] and (package["name"], f"v{package['version']}") in shipped]
    packages.sort(key=lambda package: (package["name"], package["version"]))
    texts = {(source / OF_MODELS).read_text().strip(): [f"huller, {OF_MODELS}"]}
    without_text = []
    for package in packages:
        folder = pathlib.Path(package["manifest_path"]).parent
        title = f"{package['name']} {package['version']}"
        found = [file for file in sorted(folder.rglob("*")) if LICENCE_FILE.match(file.name) and file.suffix not in NO_LICENCE and file.is_file()]
        for file in found:
            text = file.read_text(errors="replace").strip()
            # Skips the second licence of zstd, which is used under the first.
            if "GNU GENERAL PUBLIC LICENSE" not in text:
                texts.setdefault(text, []).append(f"{title}, {file.relative_to(folder)}")
        if not found:
            without_text.append(title)
    parts = [HEAD_OF_LICENCES]
    parts += ["".join(f"{package['name']} {package['version']}: {package['license']}\n" for package in packages)]
    parts += [f"Without a text in their packages: {', '.join(without_text)}.\n"] if without_text else []
    parts += ["\n".join(["=" * 100, *files, "", text, ""]) for text, files in texts.items()]
    return "\n".join(parts)


def files_of_program(source, epoch, program):
    """What is packed: names with bytes. Manual pages and completions are what the program itself prints."""
    files = {name: (source / name).read_bytes() for name in ["README.md", "CHANGELOG.md", *OWN_LICENCES]}
    files[OTHERS] = licences(source, epoch, "crates/cli", "remote").encode()
    files["huller"] = program.read_bytes()
    pages = source / "target/man"
    shutil.rmtree(pages, ignore_errors=True)
    run(program, "man", "--out-dir", pages, cwd=source)
    files |= {f"man/{page.name}": page.read_bytes() for page in sorted(pages.iterdir())}
    for shell, name in COMPLETIONS.items():
        files[f"completions/{shell}/{name}"] = run(program, "completions", shell, cwd=source).encode()
    return files


def compressed(data):
    """Gzip without a name and a time."""
    return gzip.compress(data, 9, mtime=0)


def mode_of(name):
    return 0o755 if name in {"huller", "usr/bin/huller"} else 0o644


def pack_tar(files, folder, epoch, to):
    """A .tar.gz with one folder: names in order, one time, owner root."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime, entry.mode, entry.uname, entry.gname = len(data), epoch, mode_of(name), "root", "root"
            tar.addfile(entry, io.BytesIO(data))
    to.write_bytes(compressed(packed.getvalue()))


def pack_deb(files, version, epoch, work, to):
    """A Debian package. It depends on nothing, as the program is linked statically."""
    placed = {"usr/bin/huller": files["huller"]}
    for name, data in files.items():
        if name.startswith("man/"):
            placed[f"usr/share/man/man1/{name.removeprefix('man/')}.gz"] = compressed(data)
    for shell, name in COMPLETIONS.items():
        placed[f"{COMPLETIONS_IN_DEBIAN[shell]}/{name}"] = files[f"completions/{shell}/{name}"]
    documents = "usr/share/doc/huller"
    placed[f"{documents}/README.md"] = files["README.md"]
    placed[f"{documents}/changelog.gz"] = compressed(files["CHANGELOG.md"])
    placed[f"{documents}/{OTHERS}.gz"] = compressed(files[OTHERS])
    own = [files[name] for name in OWN_LICENCES]
    placed[f"{documents}/copyright"] = b"\n\n".join([b"huller is licensed under MIT or Apache-2.0, at your option. What it contains of others: LICENSES-OTHERS.gz.", *own])
    kilobytes = sum(len(data) + 1023 for data in placed.values()) // 1024
    placed["DEBIAN/control"] = CONTROL.format(version=version, kilobytes=kilobytes).encode()
    sums = [f"{hashlib.md5(data).hexdigest()}  {name}\n" for name, data in sorted(placed.items()) if not name.startswith("DEBIAN/")]
    placed["DEBIAN/md5sums"] = "".join(sums).encode()
    shutil.rmtree(work, ignore_errors=True)
    for name, data in placed.items():
        file = work / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod(mode_of(name))
    for folder in [work, *(path for path in work.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)
    run("dpkg-deb", "--build", "--root-owner-group", "-Zxz", work, to, cwd=ROOT, environment=os.environ | {"SOURCE_DATE_EPOCH": str(epoch)})


def tools_used(source, commit, epoch):
    """What the bytes depend on besides the commit."""
    time = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).isoformat()
    lines = [f"commit {commit}", f"SOURCE_DATE_EPOCH {epoch} ({time})", f"python {sys.version.split()[0]}"]
    for command in (["rustc", "-vV"], ["cc", "--version"], ["ldd", "--version"], ["dpkg-deb", "--version"]):
        printed = run(*command, cwd=source).splitlines()
        lines += printed if command[0] == "rustc" else printed[:1]
    return "".join(f"{line}\n" for line in lines)


def build(commit, source, out):
    """Everything, from a checkout in `source`, into `out`."""
    check_out(commit, source)
    epoch = int(run("git", "log", "-1", "--format=%ct", cwd=source))
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    program = build_program(source, epoch)
    version = run(program, "--version", cwd=source).split()[1]
    files = files_of_program(source, epoch, program)
    name = f"huller-{version}-x86_64-linux"
    pack_tar(files, name, epoch, out / f"{name}.tar.gz")
    pack_deb(files, version, epoch, source / "target/deb", out / f"huller_{version}_amd64.deb")
    build_wheel(source, epoch, out)
    bill_of_materials(source, epoch, "crates/cli", "remote", out / f"{name}.cdx.json")
    bill_of_materials(source, epoch, "crates/python", None, out / f"huller-{version}-wheel.cdx.json")
    (out / f"huller-{version}.buildinfo").write_text(tools_used(source, commit, epoch))
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(out.iterdir())]
    (out / "SHA256SUMS").write_text("".join(sums))
    print(f"{out}:\n{''.join(sums)}", end="")


def differing(one, other):
    """Names whose bytes are not the same in two folders."""
    one, other = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in (one, other))
    return sorted(name for name in one | other if one.get(name) != other.get(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default="HEAD")
    parser.add_argument("--again", action="store_true", help="build what is in dist/ in another folder, and compare")
    arguments = parser.parse_args()
    if not arguments.again:
        if run("git", "status", "--porcelain", cwd=ROOT):
            print("note: changes that are not committed are not in the release", file=sys.stderr)
        build(run("git", "rev-parse", f"{arguments.commit}^{{commit}}", cwd=ROOT).strip(), ROOT / "target/dist/build", ROOT / "dist")
        return
    infos = list((ROOT / "dist").glob("*.buildinfo"))
    if len(infos) != 1:
        sys.exit("error: nothing to compare with; run `make dist` first")
    commit = infos[0].read_text().splitlines()[0].removeprefix("commit ")
    # A longer path, so that offsets would change if the path got into a file.
    build(commit, ROOT / "target/dist/built-a-second-time/build", ROOT / "target/dist/built-a-second-time/dist")
    different = differing(ROOT / "dist", ROOT / "target/dist/built-a-second-time/dist")
    if different:
        sys.exit(f"error: not the same bytes: {', '.join(different)}")
    print("the same bytes, built in two folders")


if __name__ == "__main__":
    main()
