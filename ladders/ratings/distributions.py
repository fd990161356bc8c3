"""Student's t, the normal and chi-squared: as much of them as error bars need, with nothing but `math`."""

from __future__ import annotations

import math
from functools import cache

Z95 = 1.959963984540054
"""A normal value lies within so many standard errors 95 times in a hundred."""

_TINY = 1e-300
_ENOUGH = 1e-16


def normal_cdf(z: float) -> float:
    """The chance that a standard normal value is at most z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def t_cdf(t: float, df: int) -> float:
    """The chance that Student's t with these degrees of freedom is at most t."""
    if math.isinf(t):
        return 1.0 if t > 0 else 0.0
    tail = 0.5 * _incomplete_beta(df / 2, 0.5, df / (df + t * t))
    return 1 - tail if t > 0 else tail


@cache
def t_quantile(p: float, df: int) -> float:
    """The value that Student's t stays below with chance p."""
    if p < 0.5:
        return -t_quantile(1 - p, df)
    t = 0.0  # lies left of the answer, and from there Newton never steps over it
    while True:
        closer = t + (p - t_cdf(t, df)) / _t_density(t, df)
        if closer <= t + 1e-14 * t:
            return t
        t = closer


def _t_density(t: float, df: int) -> float:
    front = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - 0.5 * math.log(df * math.pi)
    return math.exp(front - (df + 1) / 2 * math.log1p(t * t / df))


def margin(error: float | None, blocks: int) -> float | None:
    """Half of the 95 % interval of a mean over so many blocks; None where a single block cannot say."""
    return None if error is None or blocks < 2 else t_quantile(0.975, blocks - 1) * error


def chi2_tail(x: float, df: int) -> float:
    """The chance that chi-squared with these degrees of freedom exceeds x."""
    a, half = df / 2, x / 2
    if half <= 0:
        return 1.0
    front = math.exp(a * math.log(half) - half - math.lgamma(a))
    if half < a + 1:
        term = total = 1 / a
        while term > total * _ENOUGH:
            a += 1
            term *= half / a
            total += term
        return max(0.0, 1 - front * total)
    # Beyond the mean the series loses its digits: Lentz's continued fraction instead.
    b = half + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction = d
    for i in range(1, 100_000):
        b += 2
        d = 1 / ((i * (a - i)) * d + b or _TINY)
        c = b + i * (a - i) / c or _TINY
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    fraction = d
    for i in range(1, 10_000):
        for step in (
            i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i)),
            -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1)),
        ):
            d = 1 / (1 + step * d or _TINY)
            c = 1 + step / c or _TINY
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction / a
