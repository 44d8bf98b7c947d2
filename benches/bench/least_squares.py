"""Least squares for two causes and no constant."""

from dataclasses import dataclass
from statistics import mean


@dataclass(frozen=True)
class Plane:
    """value = a · x + b · y, and the share of the variance that it explains (R²)."""

    a: float
    b: float
    r2: float


def plane(causes, values):
    """The plane through the origin with the least sum of squares, by its normal equations."""
    xx = sum(x * x for x, _ in causes)
    xy = sum(x * y for x, y in causes)
    yy = sum(y * y for _, y in causes)
    xv = sum(x * value for (x, _), value in zip(causes, values))
    yv = sum(y * value for (_, y), value in zip(causes, values))
    determinant = xx * yy - xy * xy
    if determinant <= 1e-12 * xx * yy:
        raise SystemExit("error: the inputs do not differ enough to tell records from bytes")
    a = (xv * yy - yv * xy) / determinant
    b = (yv * xx - xv * xy) / determinant
    middle = mean(values)
    rest = sum((value - a * x - b * y) ** 2 for (x, y), value in zip(causes, values))
    return Plane(a, b, 1 - rest / sum((value - middle) ** 2 for value in values))
