"""immortal-autumn/Chinese-Web-Content-Extraction-Dataset: original/ID.html with cleaned, author, date/ID.txt."""

from pages import Page, decode, existing, pair


def field(folder, key):
    """A field of a page, or None; the set writes UNKNOWN for a missing one."""
    path = folder / (key + ".txt")
    value = decode(path.read_bytes(), "gb18030").strip() if path.is_file() else ""
    return value if value and value != "UNKNOWN" else None


def pages(root):
    original = existing(root, "original", "Original")
    cleaned = existing(root, "cleaned")
    for key, page, gold in pair(original.iterdir(), cleaned.iterdir()):
        yield Page(
            key=key,
            html=page.read_bytes(),
            text=decode(gold.read_bytes(), "gb18030").strip(),
            author=field(root / "author", key),
            date=field(root / "date", key),
            lang="zh",
        )
