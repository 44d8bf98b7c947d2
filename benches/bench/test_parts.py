"""Tests of the computations: python3 -m unittest bench.test_parts, in benches/."""

import re
import shutil
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

from . import forms, pairs, picture, quality, readme
from .commands import COMMANDS, compare
from .peers import ALL
from .huller_bench import Usage
from .run import Run
from .table import Row


def row(name, cpu_s):
    """A row with a run for every round."""
    peer = next(peer for peer in ALL if peer.name == name)
    return Row(peer, [Run(number, name, "1", 100.0, 10, cpu_s=cpu, wall_s=cpu) for number, cpu in enumerate(cpu_s)])


class Ratios(unittest.TestCase):
    def test_rounds_are_paired(self):
        measured = pairs.ratio(row("fastwarc+resiliparse", [8, 20, 9]), row("huller-pvalue", [1, 2, 1]), pairs.cpu)
        self.assertEqual((measured.middle, measured.low, measured.high), (9, 8, 10))

    def test_a_single_run_serves_all_rounds(self):
        measured = pairs.ratio(row("fastwarc+trafilatura", [90]), row("huller-pvalue", [1, 2, 3]), pairs.cpu)
        self.assertEqual((measured.middle, measured.rounds), (45, 3))

    def test_a_bound_that_is_missed_says_so(self):
        text = pairs.table([row("huller-pvalue", [3.0]), row("inflate", [1.0])])
        self.assertIn("3.00 (3.00 to 3.00) | ≤ 2.3 | **no** |", text)


class Compare(unittest.TestCase):
    def test_ratios_are_of_pairs(self):
        usages = [[Usage(0, cpu, 0, 20, 0, b"", "") for cpu in column] for column in ([1, 2, 4], [2, 2, 2])]
        first, second = compare.table(["a", "b"], usages, [3_000_000, 1_500_000])[2:]
        self.assertIn("| a | 2.000 | 1.000 – 4.000 | 1.000 | 1.000 – 1.000 |", first)
        self.assertIn("| b | 2.000 | 2.000 – 2.000 | 1.000 | 0.500 – 2.000 | 20.0 | 1.5 | 0.5000 |", second)


class Commands(unittest.TestCase):
    def test_each_has_help_options_and_a_body(self):
        for name, module in COMMANDS.items():
            with self.subTest(name):
                self.assertTrue(module.__doc__ and callable(module.add_arguments) and callable(module.run))


class Readme(unittest.TestCase):
    def test_only_what_is_between_the_marks_changes(self):
        rows = [row("huller-pvalue", [2.0]), row("inflate", [1.0])]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "README.md")
            path.write_text(f"before\n{readme.BEGIN}\nold\n{readme.END}\nafter\n")
            readme.replace(path, readme.section(rows, {"pvalue": 0.883}, ["a note"]))
            text = path.read_text()
            self.assertTrue(text.startswith(f"before\n{readme.BEGIN}\n") and text.endswith(f"{readme.END}\nafter\n"))
            self.assertIn("| **huller**, `pvalue`, zstd level 1 | 0.883 | 50 |", text)
            self.assertNotIn("old", text)

    def test_a_file_without_marks_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "README.md")
            path.write_text("text")
            with self.assertRaises(SystemExit):
                readme.replace(path, "new")


class Picture(unittest.TestCase):
    TABLE = "\n".join([
        f"{picture.HEAD} | F1 | MB/CPU s |", "|---|---:|---:|", "| **huller**, `hull` | 0.942 | 1,383 |", "| a parser |  | 662 |",
        "| <b>peer</b> † | 0.884 | 7.5 |", "", "| another | 0.9 | 1 |",
    ])  # fmt: skip

    def test_programs_with_a_score_are_points(self):
        ours, peer = picture.points(self.TABLE)
        self.assertEqual((ours.name, ours.f1, ours.rate, ours.is_ours), ("huller, hull", 0.942, 1383.0, True))
        self.assertEqual((peer.name, peer.f1, peer.rate, peer.is_ours), ("<b>peer</b>", 0.884, 7.5, False))
        with self.assertRaises(SystemExit):
            picture.points("no table")

    def test_names_are_no_markup_and_scales_hold_all_points(self):
        text = picture.draw(picture.points(self.TABLE), picture.DARK)
        self.assertNotIn("<b>", text)
        for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', text):
            self.assertTrue(picture.LEFT <= float(x) <= picture.WIDTH - picture.RIGHT)
            self.assertTrue(picture.TOP <= float(y) <= picture.HEIGHT - picture.BOTTOM)

    def test_names_of_points_side_by_side_do_not_cover_one_another(self):
        near = [picture.Point(f"program {n}", 0.88 + n / 500, 100.0, False) for n in range(3)]
        text = picture.draw(near, picture.LIGHT)
        lines = sorted(float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="start" fill="#6b5a00"', text))
        self.assertEqual(len(lines), 3)
        self.assertTrue(all(below - above >= 14 for above, below in zip(lines, lines[1:])), lines)

    def test_the_pictures_are_those_of_the_table(self):
        docs = Path(__file__).resolve().parents[2] / "docs"
        for path, text in picture.files(docs / "measurements.md", docs / "pictures"):
            self.assertEqual(path.read_text(), text, "python3 -m bench picture draws them anew")


class Quality(unittest.TestCase):
    def test_missing_files_are_named(self):
        found, notes = quality.load(None, Path("/nowhere/scores.csv"))
        self.assertEqual((found, len(notes)), ({}, 2))

    def test_later_files_count_before_others(self):
        with tempfile.TemporaryDirectory() as folder:
            path = lambda name, lines: (Path(folder, name).write_text("\n".join(lines)), Path(folder, name))[1]
            header = "extractor,profile,dataset,lcs_f1"
            all_methods = path("dev.csv", [header, "a,tuned,MEAN10,.9", "b,tuned,MEAN10,.8", "b,paper,MEAN10,.7"])
            of_one = path("folds.csv", [header, "a,,wcxb,.5", "a,,MEAN10,.6"])
            found, _ = quality.load([all_methods, of_one], None)
            self.assertEqual(found, {"a": 0.6, "b": 0.8})

    def test_peers_are_the_mean_over_sets_not_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "scores.csv")
            first, *others = quality.HEADLINE_SETS
            lines = ["peer,dataset,lcs_F1"] + [f"a,{first},{value}" for value in (0, 0, 0, 1)] + [f"a,{name},1" for name in others]
            path.write_text("\n".join([*lines, f"b,{first},1"]))
            self.assertEqual(quality.of_peers(path), {"a": 0.925})


class Forms(unittest.TestCase):
    url = "http://a.example/"
    header = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/"
    page = forms.Page(header, url, '<meta charset="utf-8"><p>日本語 \u0e44</p>')

    def test_a_record_names_its_charset_and_its_length(self):
        record = self.page.record("shift_jis")
        header, _, block = record.partition(b"\r\n\r\n")
        self.assertIn(b"Content-Length: %d" % (len(block) - 4), header)
        self.assertIn('<meta charset="shift_jis"><p>日本語 &#3652;</p>'.encode("cp932"), block)

    def test_what_is_written_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x.warc.gz")
            count, raw = forms.write(path, [self.page], "warc.gz", "utf-8", 3)
            pages, others = forms.load(path)
            self.assertEqual((pages, others), ([self.page] * 3, 0))
            whole = sum(map(len, forms.members(path)))
            self.assertEqual((count, raw), (3, whole))
            path.write_bytes(zlib.compress(b"x" * 99, wbits=forms.GZIP)[:-9])
            with self.assertRaises(SystemExit):
                list(forms.members(path))

    @unittest.skipUnless(shutil.which("zstd"), "needs the program zstd")
    def test_frames_hold_the_pieces_one_after_another(self):
        with tempfile.TemporaryDirectory() as folder:
            pieces = [bytes(range(256)) * count for count in (0, 1, 2, 900)]
            data = forms.zstd(pieces, folder)
            plain = subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout
            self.assertEqual(plain, b"".join(pieces))


if __name__ == "__main__":
    unittest.main()
