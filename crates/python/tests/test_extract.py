import gc
import inspect
import json
import multiprocessing
import pickle
import pydoc
import subprocess
import sys
import threading

import huller
import pyarrow
import pytest

HTML = """<!doctype html><html><head><title>Rain | Daily</title><meta name=author content="Ann Ray"></head><body>
<div id=menu><a href=/>Home</a> <a href=/news>News</a></div>
<article><h1>Rain</h1>{}</article><div id=foot><a href=/imprint>Imprint</a></div></body></html>""".format(
    "".join(f"<p>Rain fell all day {day}, and the roads were shut in the evening, said the police.</p>" for day in range(9))
)


def test_a_page_has_its_text_and_what_it_says_of_itself():
    page = huller.extract(HTML, url="http://daily.test/rain")
    assert "Rain fell all day 3, and the roads were shut" in page.text
    assert "Imprint" not in page.text and "News" not in page.text
    assert page.author == "Ann Ray"
    assert page.title == "Rain"
    assert page.markdown is None and page.html is None and page.source_html is None and page.blocks is None and page.truncated is None and page.replaced == 0
    assert page.extractor == huller.METHODS[0]
    assert page.charset == "utf-8" and page.charset_source == "default"
    assert page.published is None and page.comments is None
    assert "Rain" in repr(page)


def test_bytes_are_decoded_as_by_a_browser():
    text = "<meta charset={}><p>Привет, мир: погода сегодня хорошая, и дождя не будет."
    assert "Привет" in huller.extract(text.format("koi8-r").encode("koi8-r")).text
    page = huller.extract("<p>Привет, мир".encode("koi8-r"), charset="koi8-r", extractor="body")
    assert (page.text, page.charset, page.charset_source) == ("Привет, мир", "koi8-r", "http")
    assert huller.extract(b"", extractor="body").text == ""
    assert huller.extract("\0<p>\ud83d\ude00".encode("utf-16", "surrogatepass"), extractor="body").text == "😀"


def test_the_source_of_the_selection_is_given_if_asked_for():
    page = huller.extract(HTML, output="html", extractor="pvalue")
    assert page.html.startswith("<") and "Rain fell all day 3" in page.html and "onclick" not in page.html
    blocks = huller.extract(HTML, output="blocks").blocks
    text = huller.extract(HTML).text
    kept = [block for block in blocks if block["kept"]]
    assert kept and all(text[block["start"] : block["end"]] == block["text"] for block in kept)
    page = huller.extract(HTML, output="source_html", extractor="pvalue")
    assert page.source_html.startswith("<") and "Rain fell all day 3" in page.source_html
    page = huller.extract(HTML, output="markdown", extractor="pvalue")
    assert "Rain fell all day 3" in page.markdown and page.html is None


@pytest.mark.parametrize("method", huller.METHODS)
def test_every_method_works_on_both_ways(method):
    for profile in ("tuned", "paper"):
        one = huller.extract(HTML, extractor=method, profile=profile)
        many = huller.extract_many([HTML], extractor=method, profile=profile).to_pylist()[0]
        assert (one.text, one.score, one.title) == (many["text"], many["score"], many["title"])


def test_options_that_are_none_or_repeated_say_nothing():
    page = huller.extract(HTML, extractor=None, profile=None, include=None, max_page_bytes=None)
    assert page.text == huller.extract(HTML).text
    twice = huller.extract_many([HTML], extractor=["body", "body"])
    assert twice.schema == huller.many_schema(extractor="body")


def test_auto_is_the_default_method_everywhere():
    assert huller.extract(HTML, extractor="auto").extractor == huller.METHODS[0]
    many = huller.extract_many([HTML], extractor=["auto", "body"])
    assert many.schema == huller.many_schema(extractor=[huller.METHODS[0], "body"])
    assert huller.stream_schema(extractor="auto") == huller.stream_schema()


def test_an_unknown_charset_is_refused():
    for call in (lambda label: huller.extract(b"<p>x", charset=label), lambda label: huller.extract_many([b"<p>x"], charset=label)):
        with pytest.raises(ValueError, match="charset must be a label such as 'utf-8' or 'koi8-r', not 'klingon'"):
            call("klingon")
        call(" Latin1 ")
        call(None)


def test_a_page_can_be_shown_pickled_and_turned_into_a_dict():
    page = huller.extract(HTML, url="http://daily.test/rain")
    assert repr(page) == f"Page(title='Rain', {len(page.text)} characters, extractor='hull')"
    assert "title=None" in repr(huller.extract("<p>x"))
    fields = page.to_dict()
    assert fields["title"] == "Rain" and fields["author"] == "Ann Ray" and fields["source_html"] is None
    assert all(value == getattr(page, name) for name, value in fields.items())
    assert json.loads(json.dumps(fields)) == fields
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(page, protocol))
        assert type(copy) is huller.Page and copy.to_dict() == fields and copy.text == page.text


def test_help_shows_every_default():
    for name in huller.__all__:
        thing = getattr(huller, name)
        if inspect.isroutine(thing) or inspect.isclass(thing):
            assert "Ellipsis" not in pydoc.render_doc(thing)
        if inspect.isroutine(thing):
            defaults = [parameter.default for parameter in inspect.signature(thing).parameters.values()]
            assert ... not in defaults, name


def test_the_help_of_the_spark_job_needs_no_spark():
    without = "import sys; sys.modules['pyspark'] = None; from huller import spark; sys.exit(spark.main(sys.argv[1:]))"
    ran = subprocess.run([sys.executable, "-c", without, "--help"], capture_output=True, text=True)
    assert ran.returncode == 0 and "INPUT OUTPUT" in ran.stdout, ran.stderr
    ran = subprocess.run([sys.executable, "-c", without, "list", "out"], capture_output=True, text=True)
    assert ran.returncode == 2 and "needs pyspark: pip install 'huller[spark]'" in ran.stderr


def test_what_cannot_be_done_is_said():
    with pytest.raises(ValueError, match="unknown extractor 'none'; the extractors are hull"):
        huller.extract(HTML, extractor="none")
    with pytest.raises(TypeError, match="expected bytes or str, not int"):
        huller.extract(3)
    with pytest.raises(ValueError, match="output must be 'text', 'markdown', 'html', 'source_html' or 'blocks', not 'xml'"):
        huller.extract(HTML, output="xml")
    with pytest.raises(ValueError, match="profile takes 'tuned' or 'paper', not 'best'"):
        huller.extract(HTML, profile="best")
    with pytest.raises(ValueError, match="include takes 'title', 'byline', 'comments' or 'captions', not 'advert'"):
        huller.extract(HTML, include=["advert"])
    with pytest.raises(TypeError, match=r"extract\(\) got an unexpected keyword argument 'min_chars'"):
        huller.extract(HTML, min_chars=3)
    with pytest.raises(TypeError, match="argument 'include': expected a sequence, not string"):
        huller.extract(HTML, include="title")
    with pytest.raises(TypeError, match=r"extract\(\) takes one extractor"):
        huller.extract(HTML, extractor=["hull", "body"])
    with pytest.raises(TypeError, match="argument 'judge'"):
        huller.extract_many([HTML], judge="yes")
    with pytest.raises(TypeError, match="argument 'profile'"):
        huller.extract(HTML, profile=3)
    with pytest.raises(ValueError, match="min_chars"):
        huller.extract_many([HTML], min_chars=-1)
    with pytest.raises(ValueError, match="give at least one extractor"):
        huller.extract_many([HTML], extractor=[])
    with pytest.raises(TypeError, match="put it in a list"):
        huller.extract_many(HTML)
    with pytest.raises(ValueError, match="2 pages, but 1 URLs"):
        huller.extract_many([HTML, HTML], urls=["http://a.test/"])
    with pytest.raises(ValueError, match="array of strings or binaries, not of Int64"):
        huller.extract_many(pyarrow.array([1]))
    with pytest.raises(UnicodeEncodeError):
        huller.extract("\ud800")


ARRAYS = [
    list,
    iter,
    lambda pages: pyarrow.array(pages, pyarrow.string()),
    lambda pages: pyarrow.array(pages, pyarrow.large_string()),
    lambda pages: pyarrow.array(pages, pyarrow.string_view()),
    lambda pages: pyarrow.chunked_array([pages[:3], pages[3:], []], pyarrow.string()),
    lambda pages: pyarrow.array(["before", *pages], pyarrow.string())[1:],
    lambda pages: [None if page is None else page.encode() for page in pages],
    lambda pages: pyarrow.array(pages, pyarrow.binary()),
    lambda pages: pyarrow.array(pages, pyarrow.large_binary()),
    lambda pages: pyarrow.array(pages, pyarrow.binary_view()),
]


@pytest.mark.parametrize("make", ARRAYS)
def test_many_pages_come_back_in_order_from_whatever_holds_them(make):
    pages = [HTML.replace("Rain", f"Rain{number}") for number in range(200)]
    pages[7] = None
    urls = [f"http://daily.test/{number}" for number in range(200)]
    batch = huller.extract_many(make(pages), urls=urls, threads=3)
    assert batch.schema == huller.many_schema()
    assert batch.num_rows == 200
    for number, row in enumerate(batch.to_pylist()):
        if number == 7:
            assert row["text"] is None and row["reason"] == "null"
            continue
        page = huller.extract(pages[number], url=urls[number])
        got = (row["text"], row["title"], row["author"], row["score"], row["site_name"], row["reason"])
        assert got == (page.text, page.title, page.author, page.score, page.site_name, None)
        assert f"Rain{number} fell" in row["text"]


def test_no_pages_are_an_empty_batch():
    for nothing in ([], pyarrow.array([], pyarrow.string()), pyarrow.chunked_array([], pyarrow.binary())):
        batch = huller.extract_many(nothing)
        assert batch.num_rows == 0 and batch.schema == huller.many_schema()


def test_several_methods_give_all_texts():
    batch = huller.extract_many([HTML, None], extractor=["body", "pvalue"], output="html")
    assert batch.schema == huller.many_schema(extractor=["body", "pvalue"], output="html")
    row = batch.to_pylist()[0]
    assert row["texts"] == {"body": row["text"], "pvalue": huller.extract(HTML, extractor="pvalue").text}
    assert "Imprint" in row["texts"]["body"] and row["html"]


def test_pages_that_are_filtered_say_why():
    rows = huller.extract_many(["<p>short", HTML], min_chars=100).to_pylist()
    assert [row["reason"] for row in rows] == ["too_short", None]
    listing = "<ul>" + "<li><a href=/a>One</a>" * 50
    rows = huller.extract_many([listing], extractor="pvalue", judge=True).to_pylist()
    assert rows[0]["reason"] == "no_article" and rows[0]["text"] is None


def test_threads_share_nothing():
    pages = {name: HTML.replace("Rain", name) for name in ("Snow", "Hail", "Fog", "Sun")}
    wrong = []

    def work(name):
        for _ in range(200):
            if f"{name} fell all day 3" not in huller.extract(pages[name], extractor="pvalue").text:
                wrong.append(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _in_a_fork(pipe):
    pipe.send(huller.extract_many([HTML] * 20).num_rows)


def test_a_fork_has_threads_of_its_own():
    assert huller.extract_many([HTML] * 20).num_rows == 20
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_in_a_fork, args=(there,))
    process.start()
    assert here.poll(60), "the fork hangs"
    assert here.recv() == 20
    process.join()


def test_inputs_are_not_copied_and_results_outlive_them():
    array = pyarrow.array([HTML.encode()] * 10)
    buffers = [buffer.address for buffer in array.buffers() if buffer is not None]
    batch = huller.extract_many(array)
    assert [buffer.address for buffer in array.buffers() if buffer is not None] == buffers
    del array
    gc.collect()
    batch.validate(full=True)
    assert "Rain fell" in batch.column("text")[9].as_py()
