"""One HTML page to text: prints the title, the author, the date and the main text.

python examples/page_to_text.py PAGE.html [URL]
"""

import signal
import sys

import huller


def main():
    # A program that reads only the first lines, such as head, ends this one quietly.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # Bytes, not text: huller finds the charset as browsers do.
    with open(sys.argv[1], "rb") as file:
        html = file.read()
    # The URL is optional. It helps to find the title and the name of the site.
    page = huller.extract(html, url=sys.argv[2] if len(sys.argv) > 2 else None)
    if not page.text:
        print("the page has no text", file=sys.stderr)
        return 1
    print("title: ", page.title)
    print("author:", page.author)
    print("date:  ", page.published)
    print()
    print(page.text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
