import gc
import multiprocessing
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
    assert page.html is None and page.truncated is False
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
    assert page.html.startswith("<") and "Rain fell all day 3" in page.html


@pytest.mark.parametrize("method", huller.METHODS)
def test_every_method_works_on_both_ways(method):
    for profile in ("tuned", "paper"):
        one = huller.extract(HTML, extractor=method, profile=profile)
        many = huller.extract_many([HTML], extractor=method, profile=profile).to_pylist()[0]
        assert (one.text, one.score, one.title) == (many["text"], many["score"], many["title"])


def test_what_cannot_be_done_is_said():
    with pytest.raises(ValueError, match="no such extractor as 'none'; there are hull"):
        huller.extract(HTML, extractor="none")
    with pytest.raises(TypeError, match="expected bytes or str, not int"):
        huller.extract(3)
    with pytest.raises(ValueError, match="output is 'text' or 'html', not 'markdown'"):
        huller.extract(HTML, output="markdown")
    with pytest.raises(ValueError, match="profile"):
        huller.extract(HTML, profile="best")
    with pytest.raises(ValueError, match="include"):
        huller.extract(HTML, include=["advert"])
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
