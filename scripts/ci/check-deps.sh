#!/usr/bin/env bash
# Checks the dependencies of our crates by ARCHITECTURE.md, and names every edge that is forbidden.
#
#   scripts/ci/check-deps.sh [MANIFEST...]    (the program, crates/python and fuzz/)
#
# * A crate may depend on the crates of ours that the table below has for it. The table counts
#   dev-dependencies and build-dependencies too. huller-testkit is only a dev-dependency.
# * Peers and oracles (tl, warc, html5ever) are never in what is shipped, directly or through others.
# * Crates that reach a network or start programs are never in what is shipped either. The exceptions
#   are those that huller-serve answers with, and those of huller-remote. Only huller-cli may depend
#   on huller-remote, by its feature `remote`, which is off by default (SECURITY.md).
#
# Of our crates only huller-bench starts programs, by the standard library. Tests in
# crates/cli/tests/binary (network.rs, strangers.rs) check that the program cannot connect.
# Needs cargo and python3.
set -euo pipefail
cd "$(dirname "$0")/../.."

case ${1:-} in
    -h | --help) sed -n '2,/^set/p' scripts/ci/check-deps.sh | sed '$d; s/^# \{0,1\}//'; exit ;;
esac
[ $# -gt 0 ] || set -- Cargo.toml crates/python/Cargo.toml fuzz/Cargo.toml

status=0
for manifest in "$@"; do
    metadata=$(cargo metadata --format-version=1 --locked --manifest-path "$manifest")
    python3 /dev/fd/3 "$manifest" 3<<'PYTHON' <<<"$metadata" || status=1
import json
import sys

# Who may know whom. `None`: all of them.
ALLOWED = {
    "huller-page": set(),
    "huller-html": set(),
    "huller-provenance": set(),
    "huller-archive": {"huller-provenance"},
    "huller-row": set(),
    "huller-topics": set(),
    "huller-models": set(),
    "huller-testkit": set(),
    "huller-rights": {"huller-page", "huller-provenance"},
    "huller-select": {"huller-page"},
    "huller-methods": {"huller-select", "huller-page"},
    "huller-metadata": {"huller-select", "huller-page"},
    "huller-hull": {"huller-methods", "huller-select", "huller-page"},
    "huller-extract": {"huller-hull", "huller-methods", "huller-select", "huller-page"},
    "huller-refine": {"huller-archive", "huller-models", "huller-provenance", "huller-rights", "huller-row"},
    "huller-passages": {"huller-refine"},
    "huller-run": {"huller-archive", "huller-corpus", "huller-provenance", "huller-refine", "huller-row"},
    "huller-pipeline": {
        "huller-run",
        "huller-archive", "huller-corpus", "huller-page", "huller-extract", "huller-select", "huller-metadata", "huller-row",
        "huller-passages", "huller-provenance", "huller-refine", "huller-rights",
    },
    "huller-corpus": {"huller-archive", "huller-provenance", "huller-row", "huller-refine"},
    "huller-dedup": {"huller-archive", "huller-provenance", "huller-corpus", "huller-run", "huller-row", "huller-refine"},
    "huller-graph": {"huller-archive", "huller-provenance", "huller-corpus", "huller-run", "huller-refine", "huller-row"},
    "huller-site": {"huller-archive", "huller-provenance", "huller-corpus", "huller-run", "huller-refine"},
    "huller-index": {"huller-archive", "huller-provenance", "huller-corpus", "huller-run", "huller-refine", "huller-row"},
    "huller-relabel": {"huller-archive", "huller-corpus", "huller-run", "huller-row"},
    "huller-withdraw": {
        "huller-index", "huller-archive", "huller-provenance", "huller-corpus", "huller-run", "huller-refine", "huller-row",
    },
    "huller-eval": {
        "huller-extract", "huller-hull", "huller-methods", "huller-select", "huller-metadata", "huller-archive", "huller-page",
        "huller-row", "huller-pipeline", "huller-corpus", "huller-provenance", "huller-html",
    },
    "huller-bench": {"huller-archive", "huller-row", "huller-pipeline"},
    "huller-serve": {"huller-index", "huller-run", "huller-html"},
    "huller-remote": {"huller-archive"},
    "huller-report": {"huller-row", "huller-extract", "huller-page", "huller-html"},
    "huller-cli": None,
    "huller-python": {
        "huller-extract", "huller-select", "huller-metadata", "huller-page", "huller-archive", "huller-row", "huller-refine",
        "huller-pipeline", "huller-corpus", "huller-provenance", "huller-dedup", "huller-eval", "huller-index",
    },
    "huller-benches": None,
    "huller-fuzz": {
        "huller-page", "huller-archive", "huller-row", "huller-run", "huller-extract", "huller-metadata", "huller-models",
        "huller-index", "huller-passages", "huller-refine", "huller-relabel", "huller-rights", "huller-serve",
    },
}
# What is measured and compared with, and never shipped.
PEERS = {
    "tl", "warc", "fastwarc", "html5ever", "markup5ever", "markup5ever_rcdom", "lol_html", "dom_smoothie",
}  # fmt: skip
# What opens sockets, resolves names, speaks TLS or HTTP, or starts other programs.
NETWORK = {
    "async-std", "attohttpc", "curl", "curl-sys", "duct", "hickory-resolver", "hyper", "isahc", "mio", "native-tls", "openssl",
    "openssl-sys", "quinn", "reqwest", "rustls", "smol", "socket2", "tiny_http", "tokio", "tungstenite", "ureq",
}  # fmt: skip
# Who may use some of these: what answers on a socket.
ANSWERS = {
    "huller-serve": {"hyper", "mio", "socket2", "tokio"},
    "huller-remote": {"hyper", "mio", "reqwest", "rustls", "socket2", "tokio"},
}
# Whom a crate may know by a feature alone, and that feature.
BY_FEATURE = {("huller-cli", "huller-remote"): "remote"}
NOT_SHIPPED = {"huller-benches", "huller-fuzz", "huller-testkit"}
# What every crate may use in its tests, and nothing else may use.
IN_TESTS = {"huller-testkit"}

manifest = sys.argv[1]
metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
members = [packages[id] for id in metadata["workspace_members"]]
faults = []


def path_to(unwanted, id):
    """The shortest way from a package to one of those over what is compiled into it."""
    ways, seen = [[id]], {id}
    for way in ways:
        for dependency in nodes[way[-1]]["deps"]:
            kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
            target = dependency["pkg"]
            if kinds <= {"dev"} or target in seen:
                continue
            if packages[target]["name"] in ALLOWED:
                continue  # is looked at on its own
            if packages[target]["name"] in unwanted:
                return [packages[step]["name"] for step in [*way, target]]
            seen.add(target)
            ways.append([*way, target])
    return None


for package in members:
    name = package["name"]
    if name not in ALLOWED:
        faults.append(f"{name} is not in the table of scripts/ci/check-deps.sh")
        continue
    allowed = ALLOWED[name]
    for dependency in package["dependencies"]:
        other, kind = dependency["name"], dependency["kind"] or "normal"
        if not (other in ALLOWED or other.startswith("huller-")) or other == name:
            continue
        if other in IN_TESTS:
            if kind != "dev" and name not in NOT_SHIPPED:
                faults.append(f"{name} -> {other} ({kind} dependency): only a dev-dependency")
        elif other in NOT_SHIPPED and name not in NOT_SHIPPED:
            faults.append(f"{name} -> {other} ({kind} dependency): nothing depends on {other}")
        elif (name, other) in BY_FEATURE:
            feature = BY_FEATURE[name, other]
            brings = {by for by, what in package["features"].items() if f"dep:{other}" in what}
            if not dependency["optional"] or brings != {feature}:
                faults.append(f"{name} -> {other}: only an optional dependency, by the feature `{feature}` alone")
            if feature in package["features"].get("default", []):
                faults.append(f"{name}: the feature `{feature}` must be off where nothing is said")
        elif other in {known for _, known in BY_FEATURE}:
            faults.append(f"{name} -> {other} ({kind} dependency): {name} must not know {other}")
        elif allowed is not None and other not in allowed:
            known = ", ".join(sorted(allowed)) or "no crate of ours"
            faults.append(f"{name} -> {other} ({kind} dependency): {name} may know {known}")
    if name in NOT_SHIPPED:
        continue
    if way := path_to(PEERS, package["id"]):
        faults.append(f"{' -> '.join(way)}: a peer must not be shipped, only be a dev-dependency")
    if way := path_to(NETWORK - ANSWERS.get(name, set()), package["id"]):
        faults.append(f"{' -> '.join(way)}: what is shipped reaches no network and starts no program")

for fault in faults:
    print(f"check-deps.sh: {manifest}: {fault}", file=sys.stderr)
sys.exit(1 if faults else 0)
PYTHON
done

exit "$status"
