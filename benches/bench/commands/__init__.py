"""The commands by name."""

from . import compare, corpus, forms, growth, instructions, markdown, night, python, table

COMMANDS = {
    "table": table,
    "corpus": corpus,
    "forms": forms,
    "growth": growth,
    "compare": compare,
    "instructions": instructions,
    "python": python,
    "markdown": markdown,
    "night": night,
}
