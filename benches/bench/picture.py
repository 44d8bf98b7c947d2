"""Draws README's picture of quality against speed from the table in docs/measurements.md."""

from dataclasses import dataclass
from html import escape
from math import floor, log10

WIDTH, HEIGHT = 480, 340
LEFT, RIGHT, TOP, BOTTOM = 56, 20, 20, 48
HEAD = "| extraction alone"


@dataclass(frozen=True)
class Colours:
    """Of one of the two pictures."""

    ground: str
    ink: str
    faint: str
    ours: str
    other: str


LIGHT = Colours(ground="#ffffff", ink="#1f2328", faint="#d1d9e0", ours="#0a5cc2", other="#6b5a00")
DARK = Colours(ground="#0d1117", ink="#e6edf3", faint="#3d444d", ours="#6cb6ff", other="#d4b73f")


@dataclass(frozen=True)
class Point:
    name: str
    f1: float
    rate: float  # MB of page bytes per CPU second
    is_ours: bool


def points(text):
    """The programs of the table that have a score and a rate."""
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith(HEAD)]
    if len(heads) != 1:
        raise SystemExit(f"error: the file has {len(heads)} tables that begin with '{HEAD}', not one")
    found = []
    for line in lines[heads[0] + 2 :]:
        if not line.startswith("|"):
            break
        name, f1, rate = (cell.strip() for cell in line.strip("|").split("|")[:3])
        if f1 and f1 != "-":
            name = name.removesuffix("†").strip()
            is_ours = name.startswith("**huller**")
            found.append(Point(name.replace("*", "").replace("`", ""), float(f1), float(rate.replace(",", "")), is_ours))
    return found


def ticks(least, most):
    """The powers of ten from below the least rate to above the most, and the two ends as exponents."""
    return range(floor(log10(least)), floor(log10(most)) + 2)


@dataclass(frozen=True)
class Box:
    """A rectangle that something covers."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other):
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


def place_of_name(point, x, y, taken):
    """Where a point's name stands: on the side where there is more room, above or below the point or farther off, wherever it covers nothing."""
    wide = (7.7 if point.is_ours else 7.0) * len(point.name)
    to_the_left = x > WIDTH / 2
    anchor, start = ("end", x - 10) if to_the_left else ("start", x + 10)
    left = start - wide if to_the_left else start
    for line in (y - 7, y + 17, y - 22, y + 32, y + 5):
        box = Box(left, line - 11, left + wide, line + 4)
        if not any(box.meets(other) for other in taken):
            return anchor, start, line, box
    return anchor, start, y - 7, Box(left, y - 18, left + wide, y - 3)


def draw(found, colours):
    """The picture as SVG: F1 upwards, MB a CPU second to the right on a logarithmic scale."""
    decades = ticks(min(point.rate for point in found), max(point.rate for point in found))
    low, high = 0.82, 0.96

    def across(rate):
        return LEFT + (WIDTH - LEFT - RIGHT) * (log10(rate) - decades[0]) / (decades[-1] - decades[0])

    def down(f1):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - f1) / (high - low)

    told = "; ".join(f"{point.name}: F1 {point.f1:.3f}, {point.rate:,.4g} MB a CPU second" for point in found)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="14" fill="{colours.ink}">',
        f"<title>Quality against speed: {escape(told)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colours.ground}"/>',
    ]
    for decade in decades:
        x = across(10**decade)
        anchor = "end" if decade == decades[-1] else "middle"
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="{colours.faint}"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="{anchor}">{10**decade:,}</text>')
    for hundredths in range(round(low * 100), round(high * 100) + 1, 2):
        y = down(hundredths / 100)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{colours.faint}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{hundredths / 100:.2f}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">MB of HTML per CPU second (logarithmic)</text>'
    )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">F1</text>')
    # The names of others come first. Ours are few, and take the space that is left.
    places = [(point, across(point.rate), down(point.f1)) for point in sorted(found, key=lambda point: point.is_ours)]
    taken = [Box(x - 6, y - 6, x + 6, y + 6) for _, x, y in places]
    for point, x, y in places:
        colour = colours.ours if point.is_ours else colours.other
        anchor, left, line, box = place_of_name(point, x, y, taken)
        taken.append(box)
        weight = ' font-weight="bold"' if point.is_ours else ""
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{colour}"/>')
        parts.append(f'<text x="{left:.1f}" y="{line:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(point.name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def files(table, folder):
    """Both pictures of a table, as pairs of path and text."""
    found = points(table.read_text())
    return [(folder / f"quality-speed-{name}.svg", draw(found, colours)) for name, colours in [("light", LIGHT), ("dark", DARK)]]
