"""The commands by name."""

from . import compare, forms, instructions, markdown, night, picture, python, table

COMMANDS = {
    "table": table,
    "picture": picture,
    "forms": forms,
    "compare": compare,
    "instructions": instructions,
    "python": python,
    "markdown": markdown,
    "night": night,
}
