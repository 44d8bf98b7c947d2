"""Tests the scripts on which others depend: python3 -m unittest discover -s scripts/tests."""

import importlib.util
import sys
import tarfile
import tempfile
import unittest
import zlib
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS / "ci"))
import decoded_records  # noqa: E402


def load(name):
    """Returns a script as a module. Its name may have a hyphen."""
    spec = importlib.util.spec_from_file_location(Path(name).name.replace("-", "_"), SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


circles = load("ci/check-circles")
dist = load("release/dist")
docs = load("ci/check-docs")
notebook = load("ci/notebook")
examples = load("ci/check-examples")
prose = load("ci/check-prose")
sample = load("ci/make-sample")


class Dist(unittest.TestCase):
    FILES = {"huller": b"program", "README.md": b"text", "man/huller.1": b"page"}

    def test_a_tarball_has_nothing_of_the_machine_in_it(self):
        with tempfile.TemporaryDirectory() as folder:
            one, other = Path(folder, "one.tar.gz"), Path(folder, "a-longer-name.tar.gz")
            dist.pack_tar(self.FILES, "huller-1", 1_700_000_000, one)
            dist.pack_tar(dict(reversed(self.FILES.items())), "huller-1", 1_700_000_000, other)
            self.assertEqual(one.read_bytes(), other.read_bytes())
            with tarfile.open(one) as tar:
                entries = [(entry.name, entry.mode, entry.mtime, entry.uid, entry.uname) for entry in tar]
        self.assertEqual(
            entries,
            [
                ("huller-1/README.md", 0o644, 1_700_000_000, 0, "root"),
                ("huller-1/huller", 0o755, 1_700_000_000, 0, "root"),
                ("huller-1/man/huller.1", 0o644, 1_700_000_000, 0, "root"),
            ],
        )

    def test_what_differs_or_is_missing_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            one, other = Path(folder, "one"), Path(folder, "other")
            for place, files in ((one, {"a": "1", "b": "1", "c": "1"}), (other, {"a": "1", "b": "2", "d": "1"})):
                place.mkdir()
                for name, text in files.items():
                    (place / name).write_text(text)
            self.assertEqual(dist.differing(one, other), ["b", "c", "d"])

    def test_what_a_caller_sets_for_compilers_stays_outside(self):
        with mock.patch.dict("os.environ", {"RUSTFLAGS": "-Ctarget-cpu=native", "CARGO_BUILD_TARGET": "x", "CFLAGS_x86_64": "-O0", "HOME": "/home/x"}):
            environment = dist.environment_of(Path("/source"), 1)
        self.assertTrue({"RUSTFLAGS", "CARGO_BUILD_TARGET", "CFLAGS_x86_64"}.isdisjoint(environment))
        self.assertIn("--remap-path-prefix=/source=/huller", environment["CARGO_ENCODED_RUSTFLAGS"])


class Docs(unittest.TestCase):
    FILES = {"README.md", "docs/SUMMARY.md", "docs/a.md", "docs/b.md", "src/x.rs"}

    def found(self, **texts):
        pages = {"docs/SUMMARY.md": "- [A](a.md)\n- [B](b.md)", "docs/a.md": "", "docs/b.md": "# The `b`, *again*\n# The b again"}
        pages |= {f"docs/{name}.md": text for name, text in texts.items()}
        with mock.patch.object(docs, "has_opening", lambda _: True):
            return list(docs.problems(pages, self.FILES))

    def test_links_lead_to_files_and_headings(self):
        good = "[r](../README.md) [s](../src/) [h](b.md#the-b-again) [i](b.md#the-b-again-1) [o](https://x.test/y) <img src=\"../src/x.rs\">"
        self.assertEqual(self.found(a=good), [])
        self.assertEqual(self.found(a="[r](README.md)"), ["docs/a.md: 'README.md' leads nowhere"])
        self.assertEqual(self.found(a="[r](b.md#c)"), ["docs/a.md: 'b.md#c' names no heading"])
        self.assertEqual(self.found(a="<img src=\"x.svg\">"), ["docs/a.md: 'x.svg' leads nowhere"])

    def test_a_page_begins_with_its_purpose_and_a_command(self):
        good = "# A\n\nIt does this.\nFor them.\n\n<!-- setup: touch x -->\n\n```sh\na\n\nb\n```\n\n```text\nc\n```\n"
        self.assertTrue(docs.has_opening(good))
        self.assertTrue(docs.has_opening("# A\n\nOne.\nTwo.\n\n```console\n$ a\n```\n"))
        self.assertFalse(docs.has_opening(good.replace("```text", "```sh")))
        self.assertFalse(docs.has_opening(good.replace("It does this.\nFor them.", "One line.")))
        self.assertFalse(docs.has_opening(good.replace("```sh", "## B\n\n```sh")))
        found = list(docs.problems({"docs/SUMMARY.md": "[A](a.md)", "docs/a.md": "# A\n"}, self.FILES))
        self.assertEqual(found, ["docs/a.md: does not begin with heading, two or three lines, a command and its output"])

    def test_code_holds_no_links(self):
        self.assertEqual(self.found(a="`[r](no.md)`\n```\n[r](no.md)\n```\n"), [])

    def test_every_page_is_listed_once(self):
        self.assertEqual(self.found(SUMMARY="[A](a.md) [A](a.md) [B](b.md)"), ["docs/a.md: stands 2 times in docs/SUMMARY.md, not once"])
        self.assertEqual(self.found(c=""), ["docs/c.md: stands 0 times in docs/SUMMARY.md, not once"])


class Notebook(unittest.TestCase):
    def test_blocks_become_cells_with_their_output(self):
        page = "# A\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\nEnd.\n\n```python\nx = 2\n```\n"
        kinds = [(cell["cell_type"], cell["source"], [output["text"] for output in cell.get("outputs", [])]) for cell in notebook.cells(page)]
        self.assertEqual(
            kinds,
            [("markdown", ["# A"], []), ("code", ["print(1)"], [["1\n"]]), ("markdown", ["End."], []), ("code", ["x = 2"], [])],
        )


class Circles(unittest.TestCase):
    def found(self, **files):
        """Circles of a crate with these files; `__` in a name stands for `/`."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for name, source in files.items():
                path = root / f"{name.replace('__', '/')}.rs"
                path.parent.mkdir(exist_ok=True)
                path.write_text(source)
            parts = circles.components(circles.Crate(root / "lib.rs").edges)
            return [[file.relative_to(root).as_posix() for file in part] for part in parts]

    def test_two_files_that_use_each_other(self):
        found = self.found(lib="mod a; mod b;", a="use crate::b::B; pub struct A;", b="pub struct B; fn f(_: crate::a::A) {}")
        self.assertEqual(found, [["a.rs", "b.rs"]])

    def test_a_child_that_uses_a_type_of_its_parent(self):
        found = self.found(lib="mod a;", a="mod b; use b::f; pub struct A; fn g() { f() }", a__b="use super::A; pub fn f() {}")
        self.assertEqual(found, [["a/b.rs", "a.rs"]])

    def test_a_parent_that_only_passes_names_on_is_in_no_circle(self):
        found = self.found(
            lib="mod a;",
            a="mod b; mod c; pub use b::B; use c::C;",
            a__b="use super::C; pub struct B(C);",
            a__c="pub struct C; // super::B, and in text: \" super::B \"",
        )
        self.assertEqual(found, [])

    def test_a_re_export_stands_for_its_target(self):
        files = dict(lib="mod a; mod b; pub use b::B;", a="use crate::B; pub struct A(B);", b="use crate::a::A; pub struct B;")
        self.assertEqual(self.found(**files), [["a.rs", "b.rs"]])

    def test_tests_do_not_count(self):
        files = dict(lib="mod a; mod b;", a="use crate::b::B; pub struct A;")
        files["b"] = "pub struct B;\n#[cfg(test)]\nuse crate::a::A as _;\n#[cfg(test)]\n#[allow(x)]\nmod tests { use crate::a::A; }"
        self.assertEqual(self.found(**files), [])

    def test_paths_through_an_imported_module_and_macros(self):
        files = dict(lib="mod a; mod b;", a="use super::b; macro_rules! m { () => {} } fn f() { b::g(); }", b="pub fn g() { m!(); }")
        self.assertEqual(self.found(**files), [["a.rs", "b.rs"]])


class Examples(unittest.TestCase):
    def matches(self, shown, output):
        return bool(examples.pattern(shown).fullmatch(output + "\n"))

    def test_output_is_compared_but_for_seconds(self):
        self.assertTrue(self.matches("1 input, in 0.0 s\n  written 1\n", "1 input, in … s\n  written 1"))
        self.assertFalse(self.matches("1 input\n  written 1\n", "1 input\n  written 2"))

    def test_an_ellipsis_stands_for_characters_or_lines(self):
        self.assertTrue(self.matches("a … d\n…\nz\n", "a b c d\nx\ny\nz"))
        self.assertFalse(self.matches("a …\nz\n", "a b\ny\nz"))

    def test_commands_have_their_output(self):
        block = "$ one \\\n  two\nout\n$ three\n"
        self.assertEqual(list(examples.commands(block)), [("one \\\n  two", "out\n"), ("three", "")])

    def test_a_tool_that_is_absent_is_named(self):
        with mock.patch("shutil.which", lambda _: None):
            self.assertEqual(examples.absent("huller extract a -o - \\\n  | jq .text"), ["jq"])
            self.assertEqual(examples.absent("zstdcat a.zst | head"), ["zstdcat"])
            self.assertEqual(examples.absent("huller extract jq.html"), [])
        with mock.patch("shutil.which", lambda tool: f"/usr/bin/{tool}"):
            self.assertEqual(examples.absent("jq . a"), [])

    def test_imports_of_a_program_are_those_outside_of_functions(self):
        source = "import a.b, c\nfrom d.e import f\nfrom . import g\ndef h():\n    import i\n"
        self.assertEqual(examples.imports(source), {"a", "c", "d"})

    def check(self, text):
        """The page of this text, checked with /bin/true as the program and this interpreter."""
        with tempfile.TemporaryDirectory() as folder:
            page = examples.Page("p.md", Path(folder), Path("/bin/true"), examples.Interpreter(sys.executable))
            page.check(text)
            page.close()
        return page

    def test_blocks_of_a_page_share_variables_and_the_first_text_is_their_output(self):
        text = "```python\nx = 1\n```\n\n```python\nprint(x)\n```\n\n```text\n1\n```\n\n```text\nother\n```\n"
        page = self.check(text)
        self.assertEqual((page.count, page.faults), (2, []))
        self.assertEqual(len(self.check(text.replace("text\n1", "text\n2")).faults), 1)
        self.assertEqual(len(self.check("```python\nraise SystemExit\n```\n").faults), 1)

    def test_a_page_makes_its_files_and_runs_programs(self):
        page = self.check("<!-- setup: echo 'print(7)' > seven.py -->\n\n```sh\npython seven.py\n```\n\n```text\n7\n```\n")
        self.assertEqual((page.count, page.faults), (1, []))
        self.assertEqual(len(self.check("<!-- setup: false -->\n").faults), 1)

    def test_an_example_without_its_package_or_build_is_skipped(self):
        page = self.check("```python\nimport no_such_package\n```\n")
        self.assertEqual((page.count, page.faults, len(page.skipped)), (0, [], 1))
        page = self.check("```sh\ncargo run --release -p a --example no-such -- b\n```\n")
        self.assertEqual((page.count, page.faults, len(page.skipped)), (0, [], 1))

    def test_every_program_of_the_examples_is_listed_and_run(self):
        page = (examples.ROOT / "examples/README.md").read_text()
        blocks = "".join(found[2] for found in examples.BLOCK.finditer(page) if found[1] == "sh")
        # These need a server, which a test of the Python package starts.
        for name in ["test_recipes.py", "test_passages.py"]:
            blocks += (examples.ROOT / "crates/python/tests" / name).read_text()
        for path in sorted((examples.ROOT / "examples").glob("*.*")):
            if path.name != "README.md":
                self.assertIn(f"[{path.name}]({path.name})", page)
            # An archive is no program. A page of docs/ reads it.
            if path.name != "README.md" and path.suffix != ".warc":
                self.assertIn(path.name, blocks)
                self.assertIn(f"examples/{path.name}", "".join(path.read_text().splitlines()[:7]), "how to run it")

    def test_a_site_ends_by_itself(self):
        self.assertIn("timeout", examples.served("huller serve a/ --index b/    # an address\n"))


class Prose(unittest.TestCase):
    LONG = " ".join(["an"] * 31) + "."

    def found(self, name, text):
        return [(kind, number) for kind, number, _ in prose.findings(Path(name), text)]

    def test_wide_lines_count_outside_of_code_tables_and_links(self):
        wide = "a" * 101
        self.assertEqual(self.found("a.md", f"b\n{wide}\n"), [("wide", 2)])
        self.assertEqual(self.found("a.md", f"```\n{wide}\n```\n\n    {wide}\n\n| {wide} |\n"), [])
        self.assertEqual(self.found("a.md", f"https://x.test/{wide}"), [])

    def test_long_sentences_count_by_paragraph(self):
        self.assertEqual(self.found("a.md", f"One.\n\nTwo. {self.LONG}"), [("long", 3)])
        self.assertEqual(self.found("a.md", " ".join(["an"] * 30) + "."), [])
        # Two items of a list are two sentences.
        half = " ".join(["an"] * 20)
        self.assertEqual(self.found("a.md", f"* {half}\n* {half}\n"), [])

    def test_code_and_links_are_one_word(self):
        text = " ".join(["an"] * 20)
        self.assertEqual(self.found("a.md", f"{text} `a b c d e f g h i j k l` [e](f/g/h.md)."), [])

    def test_a_sentence_begins_with_its_subject(self):
        self.assertEqual(self.found("a.md", "What a page has is kept."), [("headless", 1)])
        self.assertEqual(self.found("a.md", "What does a page have here?"), [])
        self.assertEqual(self.found("a.md", "**What is in a row?** `rows.md` lists all fields."), [])
        self.assertEqual(self.found("a.md", "The page has what it has."), [])

    def test_private_words_count_outside_of_code(self):
        self.assertEqual(self.found("a.md", "The run begins anew."), [("private", 1)])
        self.assertEqual(self.found("a.md", "The option `anew` exists."), [])

    def test_of_source_files_the_comments_are_read(self):
        rust = 'let s = "begin anew";\n/// Begins anew.\n// and anew\nf(); // anew\n'
        self.assertEqual(self.found("a.rs", rust), [("private", 2), ("private", 3)])
        self.assertEqual(self.found("a.py", "x = 1\n# It reads all of the pages anew.\n"), [("private", 2)])

    def test_paragraphs_have_the_line_of_their_start(self):
        lines = prose.prose_lines(Path("a.md"), "one\ntwo\n\n* three\n* four\n")
        self.assertEqual(list(prose.paragraphs(lines)), [(1, "one two"), (4, "* three"), (5, "* four")])

    def test_exceptions_are_counts_by_file_and_kind(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "prose-exceptions.txt")
            path.write_text("# head\n3 wide docs/a b.md\n1 long x.rs\n")
            with mock.patch.object(prose, "EXCEPTIONS", path):
                allowed = prose.read_exceptions()
        self.assertEqual(allowed, {("docs/a b.md", "wide"): 3, ("x.rs", "long"): 1})


class DecodedRecords(unittest.TestCase):
    rows = sample.read_index()

    def archive(self, level, rows=None):
        """The sample, compressed at another level everywhere: as different as by another zlib."""
        compress, compressobj = zlib.compress, zlib.compressobj
        with mock.patch("zlib.compress", lambda data, _: compress(data, level)):
            with mock.patch("zlib.compressobj", lambda _, *more: compressobj(level, *more)):
                return sample.build_archive(rows or self.rows, "warc.gz")

    def test_another_zlib_makes_no_difference(self):
        one, other = self.archive(9), self.archive(1)
        self.assertNotEqual(one, other)
        self.assertEqual(decoded_records.differences(one, other), [])

    def test_a_changed_page_is_found(self):
        changed = [dict(row) for row in self.rows]
        changed[3]["body"] += b"\n"
        self.assertEqual(len(decoded_records.differences(self.archive(9), self.archive(1, changed))), 1)

    def test_a_wrong_digest_is_found(self):
        record = next(decoded_records.members(self.archive(9)))
        self.assertRaises(ValueError, decoded_records.decoded, record.replace(b"sha1:", b"sha1:A"))


if __name__ == "__main__":
    unittest.main()
