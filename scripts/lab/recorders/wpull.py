"""wpull: gzip, plain, without digests, duplicates by a CDX of an earlier run."""

from .cases import PATHS
from .install import WPULL, old_python, packages

COMMON = ["--tries=1", "--timeout=20", "--no-verbose", "--no-robots", "--delete-after", "--input-file=urls.txt"]


def record(recording):
    programs = packages(recording.installed, "wpull", WPULL, old_python("3.6"))
    (recording.out / "urls.txt").write_text("\n".join(recording.urls(PATHS)) + "\n")
    for name, *options in [
        ("gz", "--warc-cdx"),
        ("plain", "--no-warc-compression"),
        ("no-digests", "--no-warc-digests", "--http-compression"),
        ("dedup", "--warc-dedup=gz.cdx"),
    ]:
        # Its exit status reports the server's answers, as wget's does.
        recording.run([programs / "python", "-m", "wpull", *COMMON, f"--warc-file={name}", *options], ok=range(9), log=f"{name}.log")
        recording.add(f"{name}.warc" + ("" if name == "plain" else ".gz"), WPULL[0])
