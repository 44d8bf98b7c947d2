"""The commands by name."""

from . import compare, corpus, forms, growth, instructions, markdown, night, picture, python, table

COMMANDS = {
    "table": table,
    "picture": picture,
    "corpus": corpus,
    "forms": forms,
    "growth": growth,
    "compare": compare,
    "instructions": instructions,
    "python": python,
    "markdown": markdown,
    "night": night,
}
