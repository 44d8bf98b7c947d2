"""Stages in Python between the built-in ones: order, reasons, statistics, cost."""

import json
import pickle

import huller
import pyarrow
import pyarrow.compute as pc
import pytest


@huller.stage
def no_ferries(rows):
    return pc.invert(pc.match_substring(pc.utf8_lower(rows["text"]), "ferry"))


@huller.stage(name="topics", columns=["title"])
def topics(rows):
    assert rows.schema.names == ["title"]
    return ["short_title" if len(title or "") < 12 else None for title in rows["title"].to_pylist()]


@huller.stage(name="upper")
def upper(rows):
    return {"text": pc.utf8_upper(rows["text"])}


ROWS = pyarrow.table({"n": [1, 2, 3, 4, 5], "text": ["Ask ann@site.org", "The ferry is here", None, "Rain fell", "x"], "title": ["a", "b", None, "ann@site.org", "e"]})


def test_a_mask_reasons_and_columns_decide():
    counters = huller.Counters()
    kept = huller.refine(ROWS, stages=no_ferries, counters=counters)
    assert kept["n"].to_pylist() == [1, 4, 5] and kept.schema.names[:3] == ROWS.schema.names
    assert counters.skipped == {"no_ferries:dropped": 1, "no_text": 1}
    assert (counters.records, counters.written) == (5, 3) and counters.is_balanced
    every = huller.refine(ROWS, stages=[topics], keep_dropped=True)
    assert every["dropped"].to_pylist() == ["topics:short_title", "topics:short_title", "no_text", None, "topics:short_title"]
    assert every["n"].to_pylist() == [1, 2, 3, 4, 5]
    assert huller.refine(ROWS, stages=[upper])["text"].to_pylist() == ["ASK ANN@SITE.ORG", "THE FERRY IS HERE", "RAIN FELL", "X"]


def test_stages_run_in_the_order_of_the_list():
    first = huller.refine(ROWS, stages=[upper, "mask"])["text"].to_pylist()
    last = huller.refine(ROWS, stages=["mask", upper])["text"].to_pylist()
    assert first[0] == "ASK email@example.com" and last[0] == "ASK EMAIL@EXAMPLE.COM"
    both = huller.refine(ROWS, stages=["mask", upper, "length", no_ferries], set="length.min_chars=3", keep_dropped=True)
    assert both["text"].to_pylist() == ["ASK EMAIL@EXAMPLE.COM", "The ferry is here", None, "RAIN FELL", "x"]
    assert both["dropped"].to_pylist() == [None, "no_ferries:dropped", "no_text", None, "length:short"] or both["dropped"].to_pylist()[4].startswith("length:")
    # The mask reaches the title too, before and after a stage in Python.
    assert both["title"].to_pylist()[3] == "email@example.com"


def test_what_a_stage_returns_may_have_any_form():
    numpy = pytest.importorskip("numpy")
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    rows = ROWS.filter(pc.is_valid(ROWS["text"]))
    keep = [True, False, True, True]
    for answer in (
        keep,
        numpy.array(keep),
        pyarrow.array(keep),
        pyarrow.chunked_array([keep[:1], keep[1:]]),
        polars.Series(keep),
        pandas.Series(keep),
        {"keep": keep},
        polars.DataFrame({"keep": keep}),
        pandas.DataFrame({"keep": keep}),
        pyarrow.table({"keep": keep}),
        [True, None, True, True],
    ):
        found = huller.refine(rows, stages=huller.stage(lambda batch: answer, name="any"), keep_dropped=True)
        assert found["dropped"].to_pylist() == [None, "any:dropped", None, None], type(answer)
    for answer in (["a", None, None, "b"], polars.Series(["a", None, None, "b"]), {"reason": ["a", None, None, "b"]}):
        found = huller.refine(rows, stages=huller.stage(lambda batch: answer, name="any"), keep_dropped=True)
        assert found["dropped"].to_pylist() == ["any:a", None, None, "any:b"]
    both = {"keep": [True, False, True, False], "reason": [None, "why", None, None], "text": ["a", "b", "c", "d"], "new": [1, 2, 3, 4]}
    found = huller.refine(rows, stages=huller.stage(lambda batch: both, name="any"), keep_dropped=True)
    assert found["dropped"].to_pylist() == [None, "any:why", None, "any:dropped"]
    assert found["text"].to_pylist() == ["a", "The ferry is here", "c", "x"] and found["new"].to_pylist() == [1, None, 3, None]
    for nothing in (None, [None] * 4):
        assert huller.refine(rows, stages=huller.stage(lambda batch: nothing, name="any")).num_rows == 4


def test_a_plain_function_is_a_stage_too():
    def long_enough(rows):
        return pc.greater(pc.utf8_length(rows["text"]), 3)

    counters = huller.Counters()
    assert huller.refine(ROWS, stages=["mask", long_enough], counters=counters).num_rows == 3
    assert counters.skipped["long_enough:dropped"] == 1


def test_what_goes_wrong_is_said():
    def refine(answer):
        return huller.refine(ROWS, stages=huller.stage(lambda rows: answer, name="mine"))

    for answer, error, message in [
        ([True], ValueError, "stage 'mine' returned 1 values .'keep'. for 4 rows"),
        ([1, 2, 3, 4], TypeError, "returned values of int64"),
        ({"keep": ["a"] * 4}, TypeError, "it takes Booleans"),
        ({"text": [None] * 4}, ValueError, "a text that is null"),
    ]:
        with pytest.raises(error, match=message):
            refine(answer)
    with pytest.raises(ZeroDivisionError):
        huller.refine(ROWS, stages=huller.stage(lambda rows: 1 // 0, name="mine"))
    with pytest.raises(ValueError, match="needs a name"):
        huller.stage(lambda rows: None)
    with pytest.raises(ValueError, match="there is a built-in stage 'mask'"):
        huller.stage(lambda rows: None, name="mask")
    with pytest.raises(TypeError, match="takes a function"):
        huller.stage(3)
    with pytest.raises(ValueError, match="two stages have one name"):
        huller.refine(ROWS, stages=[upper, upper])
    with pytest.raises(ValueError, match="unknown stage 'masks'"):
        huller.refine(ROWS, stages=["masks", upper])


def test_batches_are_bounded_and_have_all_columns():
    sizes = []

    @huller.stage(batch_rows=300)
    def counted(rows):
        sizes.append(rows.num_rows)
        assert rows.schema.names[:2] == ["n", "text"]

    rows = pyarrow.table({"n": range(1000), "text": ["Rain"] * 1000})
    assert huller.refine(rows, stages=["mask", counted]).num_rows == 1000
    assert sum(sizes) == 1000 and max(sizes) <= 300
    batch = rows.to_batches()[0]
    assert isinstance(huller.refine(batch, stages=[counted]), pyarrow.RecordBatch)


def test_an_archive_passes_stages_of_both_kinds(sample):
    counters, plain = huller.Counters(), huller.Counters()
    stages = ["language", no_ferries, "gopher-quality", topics, "tokens"]
    options = {"lang": "eng", "signals": True, "markdown": True}
    reader = huller.stream(sample, stages=stages, counters=counters, **options)
    assert reader.schema == huller.stream_schema(stages=stages, **options)
    rows = reader.read_all()
    assert counters.is_balanced and counters.records == 96 and counters.written == rows.num_rows > 10
    # The same by hand.
    expected = huller.stream(sample, stages=["language"], counters=plain, **options).read_all()
    expected = expected.filter(no_ferries(expected))
    expected = huller.refine(expected, stages=["gopher-quality"], signals=True)
    expected = huller.refine(expected, stages=[topics, "tokens"], signals=True)
    assert rows["id"].to_pylist() == expected["id"].to_pylist()
    assert rows["tokens"].to_pylist() == expected["tokens"].to_pylist() and None not in rows["tokens"].to_pylist()
    names = set(json.loads(rows["signals"][0].as_py()))
    assert {"language.score"} < names and any(name.startswith("gopher_quality.") for name in names)
    assert counters.skipped["no_ferries:dropped"] > 0 and counters.skipped["topics:short_title"] > 0
    assert counters.skipped["language:other"] == plain.skipped["language:other"]
    # A stage that keeps all rows changes nothing.
    same = huller.stream(sample, stages=["language", huller.stage(lambda rows: None, name="none"), "gopher-quality"], lang="eng").read_all()
    assert same == huller.stream(sample, stages=["language", "gopher-quality"], lang="eng").read_all()


def test_pages_in_memory_pass_stages_of_both_kinds(sample):
    rows = huller.stream(sample, html=True).read_all()
    stages = ["language", no_ferries, "length"]
    options = {"lang": "eng", "set": "length.min_chars=400"}
    counters = huller.Counters()
    found = huller.extract_many(rows["html"], urls=rows["url"], stages=stages, counters=counters, **options)
    assert found.num_rows == rows.num_rows and found.schema == huller.many_schema(stages=stages, lang="eng", set="length.min_chars=400")
    by_hand = huller.extract_many(rows["html"], urls=rows["url"], stages=["language", "length"], **options)
    for one, other in zip(found.to_pylist(), by_hand.to_pylist()):
        if one["reason"] == "no_ferries:dropped":
            assert one["text"] is None
        else:
            assert one == other
    reasons = found["reason"].to_pylist()
    assert reasons.count("no_ferries:dropped") == counters.skipped["no_ferries:dropped"] > 0
    assert counters.records == rows.num_rows and counters.written == reasons.count(None)
    assert huller.extract_many([], stages=stages).num_rows == 0


def test_stages_follow_those_of_a_preset(sample):
    rows = huller.stream(sample).read_all()
    expected = huller.refine(huller.refine(rows, preset="gopher"), stages=no_ferries)
    assert huller.refine(rows, preset="gopher", stages=no_ferries)["id"].to_pylist() == expected["id"].to_pylist()
    config = huller.Config.parse('preset = "gopher"')
    assert huller.refine(rows, config=config, stages=[no_ferries])["id"].to_pylist() == expected["id"].to_pylist()
    # Before them, by their names.
    first = huller.refine(rows, preset="gopher", stages=[no_ferries, *config.stages])
    assert first["id"].to_pylist() == expected["id"].to_pylist()
    with pytest.raises(ValueError, match="which the rows do not have"):
        huller.stream(sample, stages=huller.stage(lambda rows: {"new": [1] * rows.num_rows}, name="new")).read_all()


def test_a_stage_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(no_ferries)) is no_ferries and repr(no_ferries) == "huller.stage('no_ferries')"
    again = pickle.loads(pickle.dumps(huller.stage(len, name="length-of-all", batch_rows=7)))
    assert (again.function, again.name, again.columns, again.batch_rows) == (len, "length-of-all", None, 7)
