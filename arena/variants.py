"""Variants: the options a rulebook leaves open, as frozen values with their allowed range.  No rules here."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self


class VariantError(ValueError):
    """An option that does not exist or a value it cannot take; the text says what would do."""


@dataclass(frozen=True)
class Variant:
    """The options of a game: a subclass declares them with `choice`, `flag`, `number` and so on."""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Check values from outside: a command line, a ladder file or a view."""
        fields = {field.name: field for field in dataclasses.fields(cls)}
        values: dict[str, Any] = {}
        for key, value in given.items():
            if key not in fields:
                near = difflib.get_close_matches(key, fields, 1)
                hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(fields) or 'none'}"
                raise VariantError(f'unknown option "{key}"; {hint}')
            values[key] = fields[key].metadata["read"](key, value)
        return cls(**values)

    def changes(self) -> dict[str, Any]:
        """The options that differ from the default, so that the usual game travels as nothing."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }

    @classmethod
    def described(cls) -> list[tuple[str, Any, str, str]]:
        """Name, default, allowed values and meaning of every option."""
        return [
            (field.name, field.default, field.metadata["allowed"], field.metadata["why"])
            for field in dataclasses.fields(cls)
        ]


def choice(default: str, *others: str, why: str = "") -> Any:
    """One word of a few."""
    words = (default, *others)

    def read(key: str, value: Any) -> str:
        if value not in words:
            raise VariantError(f'{key} = "{value}": choose {", ".join(words)}')
        return str(value)

    return _option(default, read, " | ".join(words), why)


def flag(default: bool, why: str = "") -> Any:
    """True or false; from a command line also yes, no, on, off."""
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

    def read(key: str, value: Any) -> bool:
        known = value if isinstance(value, bool) else words.get(str(value).lower())
        if known is None:
            raise VariantError(f'{key} = "{value}": choose true or false')
        return known

    return _option(default, read, "true | false", why)


def number(default: int, least: int, most: int, why: str = "") -> Any:
    """A whole number within limits."""

    def read(key: str, value: Any) -> int:
        try:
            known = value if type(value) is int else int(str(value))
        except ValueError:
            raise VariantError(f'{key} = "{value}": a whole number is needed') from None
        if not least <= known <= most:
            told = known if abs(known) < 1 << 64 else "…"  # some numbers are too long even to be told
            raise VariantError(f"{key} = {told}: choose {least} to {most}")
        return known

    return _option(default, read, f"{least}..{most}", why)


def text(default: str, check: Callable[[str], object], allowed: str, why: str = "") -> Any:
    """Any text that `check` accepts; `check` raises ValueError with the reason."""

    def read(key: str, value: Any) -> str:
        try:
            check(str(value))
        except ValueError as error:
            raise VariantError(f'{key} = "{value}": {error}') from None
        return str(value)

    return _option(default, read, allowed, why)


def seat_or_random(why: str = "") -> Any:
    """A seat number, the first by default, or "random"; a rulebook takes it modulo its seats."""

    def check(value: str) -> None:
        if value != "random" and not (value.isdecimal() and int(value) < 6):
            raise ValueError('a seat number, or "random"')

    return text("0", check, "a seat | random", why)


def _option(default: object, read: Callable[[str, Any], object], allowed: str, why: str) -> Any:
    return dataclasses.field(default=default, metadata={"read": read, "allowed": allowed, "why": why})
