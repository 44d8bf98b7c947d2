"""Writes small tables of every kind with pyarrow and DuckDB.

For each family of tables (the part of the name before the first hyphen) it writes the rows that
pyarrow reads from it, as JSON Lines. Some tables of a family lack columns.

    python3 scripts/lab/tables/make.py [FOLDER]     # crates/archive/tests/tables

`crates/archive/tests/tables.rs` compares the reader with them. Needs pyarrow and duckdb (PyPI).
"""

import argparse
import datetime
import decimal
import json
import math
import uuid
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

UTC = datetime.timezone.utc


def value(thing):
    """A value of to_pylist as JSON, in the words that docs/formats.md gives."""
    if thing is None or isinstance(thing, (bool, int, str)):
        return thing
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else None
    if isinstance(thing, bytes):
        return thing.decode("utf-8")
    if isinstance(thing, decimal.Decimal):
        return float(thing)
    if isinstance(thing, uuid.UUID):
        return str(thing)
    if isinstance(thing, datetime.datetime):
        text = thing.replace(tzinfo=None).isoformat(timespec="microseconds")
        text = text.removesuffix("000").removesuffix(".000")
        return text + ("Z" if thing.tzinfo else "")
    if isinstance(thing, datetime.time):
        return thing.isoformat(timespec="microseconds").removesuffix("000").removesuffix(".000")
    if isinstance(thing, datetime.date):
        return thing.isoformat()
    if isinstance(thing, dict):
        return {name: value(inner) for name, inner in thing.items()}
    if isinstance(thing, list) and thing and all(isinstance(pair, tuple) for pair in thing):
        if isinstance(thing[0][0], str):
            return {name: value(inner) for name, inner in thing}
        return [[value(part) for part in pair] for pair in thing]
    if isinstance(thing, list):
        return [value(inner) for inner in thing]
    raise TypeError(type(thing))


def maps_of_text(schema):
    return {field.name for field in schema if pa.types.is_map(field.type) and pa.types.is_string(field.type.key_type)}


def rows_of(table):
    maps = maps_of_text(table.schema)
    for row in table.to_pylist():
        row = value(row)
        for name in maps:
            row[name] = {} if row[name] == [] else row[name]
        yield row


def note_rows(path):
    """Writes the rows of a table, or compares them with those of its family."""
    family = path.with_name(path.stem.split("-")[0] + ".jsonl")
    rows = [json.dumps(row, ensure_ascii=False) for row in rows_of(pq.read_table(path))]
    if not family.exists():
        family.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
        return
    known = [json.loads(line) for line in open(family, encoding="utf-8")]
    for row, whole in zip(map(json.loads, rows), known, strict=True):
        assert row == {name: whole[name] for name in row}, (path, row)


def scalars(count):
    """Columns of every type that is no list, with nulls here and there."""
    def some(make, every=5):
        return [None if n % every == every - 1 else make(n) for n in range(count)]

    day = datetime.datetime(2024, 2, 29, 12, 34, 56)
    step = datetime.timedelta(days=37, microseconds=1001)
    return pa.table({
        "id": pa.array([f"row-{n}" for n in range(count)]),
        "html": pa.array([f"<p>page {n} “ä” \"q\" \\ \n\t\u0007\u0085 {'x' * (n % 50)}</p>" for n in range(count)]),
        "bytes": pa.array(some(lambda n: f"<p>{n}é".encode()), pa.binary()),
        "large": pa.array(some(lambda n: f"large {n % 7}"), pa.large_string()),
        "fixed": pa.array(some(lambda n: b"%04d" % n), pa.binary(4)),
        "flag": pa.array(some(lambda n: n % 3 == 0), pa.bool_()),
        "i8": pa.array(some(lambda n: n % 256 - 128), pa.int8()),
        "u8": pa.array(some(lambda n: n % 256), pa.uint8()),
        "i16": pa.array(some(lambda n: n * -31 % 65536 - 32768), pa.int16()),
        "u16": pa.array(some(lambda n: n * 131 % 65536), pa.uint16()),
        "i32": pa.array(some(lambda n: -(2**31) + n * 12345), pa.int32()),
        "u32": pa.array(some(lambda n: 2**32 - 1 - n), pa.uint32()),
        "i64": pa.array(some(lambda n: -(2**63) + n * n), pa.int64()),
        "u64": pa.array(some(lambda n: 2**64 - 1 - n), pa.uint64()),
        "f32": pa.array(some(lambda n: n * 0.25), pa.float32()),
        "f64": pa.array(some(lambda n: [math.nan, math.inf, 1e300, 1e-7, 0.1, -0.0][n % 6] + n), pa.float64()),
        "day": pa.array(some(lambda n: (day + n * step).date()), pa.date32()),
        "day64": pa.array(some(lambda n: (day - n * step).date()), pa.date64()),
        "ms": pa.array(some(lambda n: (day + n * step).replace(microsecond=n % 3 * 1000)), pa.timestamp("ms")),
        "us": pa.array(some(lambda n: (day - n * step).replace(tzinfo=UTC)), pa.timestamp("us", "UTC")),
        "ns": pa.array(some(lambda n: day + n * step), pa.timestamp("ns")),
        "time": pa.array(some(lambda n: (day + n * step).time()), pa.time64("us")),
        "time_ms": pa.array(some(lambda n: (day + n * step).time().replace(microsecond=0)), pa.time32("ms")),
        "small": pa.array(some(lambda n: decimal.Decimal(n * 7 - 50).scaleb(-2)), pa.decimal128(7, 2)),
        "big": pa.array(some(lambda n: decimal.Decimal(10**20 + n).scaleb(-10)), pa.decimal128(38, 10)),
        "huge": pa.array(some(lambda n: decimal.Decimal(-(10**40) - n)), pa.decimal256(60, 0)),
        "kind": pa.array(some(lambda n: f"kind {n % 4}")).dictionary_encode(),
        "nothing": pa.nulls(count),
        "rare": pa.array([f"rare {n}" if n % 41 == 7 else None for n in range(count)]),
    })


def nested(count):
    def maybe(n, make):
        return [None, [], None][n % 3] if n % 4 == 0 else make(n)

    return pa.table({
        "id": pa.array([f"{n}" for n in range(count)]),
        "list": pa.array([maybe(n, lambda n: [k if k % 2 else None for k in range(n % 6)]) for n in range(count)], pa.list_(pa.int32())),
        "texts": pa.array([maybe(n, lambda n: [f"t{k}" for k in range(n % 3)]) for n in range(count)], pa.large_list(pa.string())),
        "lists": pa.array(
            [maybe(n, lambda n: [maybe(k, lambda k: [f"{n}.{k}"] * k) for k in range(n % 5)]) for n in range(count)],
            pa.list_(pa.list_(pa.string())),
        ),
        "struct": pa.array(
            [None if n % 7 == 3 else {"a": n, "b": None if n % 2 else f"b{n}", "in": {"x": [n] * (n % 3)}} for n in range(count)],
            pa.struct([("a", pa.int64()), ("b", pa.string()), ("in", pa.struct([("x", pa.list_(pa.int16()))]))]),
        ),
        "structs": pa.array(
            [maybe(n, lambda n: [{"k": f"k{k}", "v": None if k % 2 else k / 4} for k in range(n % 4)]) for n in range(count)],
            pa.list_(pa.struct([("k", pa.string()), ("v", pa.float64())])),
        ),
        "map": pa.array([None if n % 5 == 4 else [(f"k{k}", k * n) for k in range(n % 3)] for n in range(count)], pa.map_(pa.string(), pa.int64())),
        "numbers": pa.array([None if n % 5 == 4 else [(k, f"v{k}") for k in range(n % 3)] for n in range(count)], pa.map_(pa.int32(), pa.string())),
        "pair": pa.array([[n, n + 1] for n in range(count)], pa.list_(pa.int32(), 2)),
    })


def of_pyarrow(folder):
    table, lists = scalars(60), nested(60)
    plain = {"use_dictionary": False, "compression": "none"}
    many_pages = {"data_page_size": 64, "write_batch_size": 7}
    kinds = {
        "default": {},
        "plain": plain,
        "v1": {"version": "1.0", "use_dictionary": False, "compression": "gzip"},
        "pages": {**many_pages, "compression": "zstd"},
        "pages2": {**many_pages, "data_page_version": "2.0", "compression": "brotli"},
        "groups": {"row_group_size": 13, "compression": "lz4"},
        "int96": {"use_deprecated_int96_timestamps": True},
    }
    for kind, options in kinds.items():
        # The older timestamps do not declare that they are in UTC.
        save(folder, f"scalars-{kind}", table.drop_columns(["us"]) if kind == "int96" else table, **options)
        if kind != "int96":
            save(folder, f"nested-{kind}", lists, **options)
    ints = ["i32", "i64", "u32", "u64", "day", "us"]
    texts = ["id", "html", "bytes", "large", "rare"]
    fixed = ["i32", "i64", "f32", "f64", "fixed", "us"]
    encodings = {
        "delta": {**{name: "DELTA_BINARY_PACKED" for name in ints}, **{name: "DELTA_LENGTH_BYTE_ARRAY" for name in texts}},
        "prefix": {name: "DELTA_BYTE_ARRAY" for name in [*texts, "fixed"]},
        "split": {name: "BYTE_STREAM_SPLIT" for name in fixed},
        "runs": {"flag": "RLE"},
    }
    for kind, columns in encodings.items():
        options = {**plain, "column_encoding": columns}
        save(folder, f"scalars-{kind}", table.select(list(columns)), **options)
        save(folder, f"scalars-{kind}-pages2", table.select(list(columns)), **options, **many_pages, data_page_version="2.0")
    old = nested(60)
    save(folder, "nested-old-lists", old, use_compliant_nested_type=False)
    save(folder, "empty-table", table.slice(0, 0))


def save(folder, name, table, **options):
    path = folder / f"{name}.parquet"
    pq.write_table(table, path, **options)
    note_rows(path)


def of_duckdb(folder):
    base = duckdb.connect()
    rows = """
        SELECT 'row-' || n AS id, '<p>' || repeat('duck ', n % 9) || n AS html, n AS i, n % 2 = 0 AS flag,
               CASE WHEN n % 3 = 0 THEN NULL ELSE n / 8 END AS f, DATE '2020-01-01' + n AS day,
               TIMESTAMP '2020-01-01 01:02:03.5' + INTERVAL (n) HOUR AS ts, (n * 1.25)::DECIMAL(9, 3) AS d,
               [x FOR x IN range(n % 4)] AS l, {'a': n, 'b': 'b' || n} AS s, MAP {'k': n} AS m, 'c' || n % 3 AS c
        FROM (SELECT range::INT AS n FROM range(60))
    """
    for version in ("V1", "V2"):
        for codec in ("snappy", "zstd", "gzip", "lz4_raw", "uncompressed"):
            path = folder / f"duckdb-{version.lower()}-{codec}.parquet"
            base.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet, PARQUET_VERSION {version}, COMPRESSION {codec}, ROW_GROUP_SIZE 2048)")
            note_rows(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("crates/archive/tests/tables"))
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("*.parquet"), *folder.glob("*.jsonl")]:
        old.unlink()
    of_pyarrow(folder)
    of_duckdb(folder)
    print(len(list(folder.glob("*.parquet"))), "tables in", folder)


if __name__ == "__main__":
    main()
