"""Reads a host graph as networkx and igraph do, and compares it with the links that it was made of."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

Edge = tuple[str, str]

# Greatest difference between two PageRanks of a host.
TOLERANCE = 1e-6


def graph_networkx(folder: Path) -> tuple[set[Edge], dict[str, float]]:
    import networkx

    hosts = vertices(folder)
    graph = networkx.read_edgelist(folder / "edges.txt.gz", create_using=networkx.DiGraph, nodetype=int)
    graph.add_nodes_from(range(len(hosts)))
    ranks = networkx.pagerank(graph, tol=1e-12)
    return {(hosts[a], hosts[b]) for a, b in graph.edges}, {hosts[n]: rank for n, rank in ranks.items()}


def graph_igraph(folder: Path) -> tuple[set[Edge], dict[str, float]]:
    import igraph

    hosts = vertices(folder)
    plain = folder / "edges.txt"
    plain.write_bytes(gzip.decompress((folder / "edges.txt.gz").read_bytes()))
    graph = igraph.Graph.Read_Edgelist(str(plain))
    graph.add_vertices(len(hosts) - graph.vcount())
    return {(hosts[a], hosts[b]) for a, b in graph.get_edgelist()}, dict(zip(hosts, graph.pagerank()))


GRAPHS: dict[str, Callable[[Path], tuple[set[Edge], dict[str, float]]]] = {"networkx": graph_networkx, "igraph": graph_igraph}


def vertices(folder: Path) -> list[str]:
    """The hosts in the order of their numbers."""
    lines = gzip.decompress((folder / "vertices.txt.gz").read_bytes()).decode().splitlines()
    rows = [line.split("\t") for line in lines]
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return [row[1] for row in rows]


def problem(folder: Path, links: list[Path]) -> str | None:
    """Says how the graph differs from its links, or how the readers differ from each other."""
    expected_hosts, expected = expectation(links)
    if not expected:
        return "no link leads to another host"
    if set(vertices(folder)) != expected_hosts:
        return f"the hosts differ: {sorted(set(vertices(folder)) ^ expected_hosts)[:5]}"
    ranks = {}
    for name, read in GRAPHS.items():
        edges, ranks[name] = read(folder)
        if edges != expected:
            return f"{name} reads other edges: {sorted(edges ^ expected)[:5]}"
    one, other = ranks.values()
    far = [host for host in one if abs(one[host] - other[host]) > TOLERANCE]
    return f"the PageRanks of {far[:5]} differ" if far or set(one) != set(other) else None


def expectation(links: list[Path]) -> tuple[set[str], set[Edge]]:
    """The hosts and edges of files of links in JSON Lines."""
    hosts, edges = set(), set()
    for path in links:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["url"] is None:
                continue
            source, target = (reversed_host(row[name]) for name in ("url", "target"))
            hosts |= {source, target}
            if source != target:
                edges.add((source, target))
    return hosts, edges


def reversed_host(url: str) -> str:
    """The labels of a host name in reverse order. The pages of this check have no IP addresses."""
    return ".".join(reversed((urlsplit(url).hostname or "").split(".")))
