"""Form fields of query parameters, generic over both operations: each reads all occurrences of one parameter.

A cleaned value of ``None`` means "not given". Every fault of a value is collected, with a code of its own; messages say
what is allowed and quote what was sent.

A field also says what it takes: ``schema`` is its JSON Schema, as far as a pattern can tell; ``prose`` states the rule,
without markup since both the form and the OpenAPI document show it; ``title`` and ``brief`` are what people read of it
first, a word and a line; ``example`` is one value as a query has it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any

from django import forms

from core.rest.cursors import decode
from core.rest.pagination import MAX_LIMIT
from core.rest.parameters import ListSyntaxError, fault_of_text, quoted, split_list
from core.rest.widgets import ChoiceSelect, ListInput, ParameterInput

FLAG_WORDS = {"": True, "true": True, "1": True, "false": False, "0": False}


def text_schema(pattern: str, longest: int) -> dict[str, Any]:
    """Return the JSON Schema of a text of this form."""
    return {"type": "string", "pattern": f"^({pattern})$", "maxLength": longest}


def list_schema(entries: dict[str, Any], most: int | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a list of at most so many entries."""
    return {"type": "array", "items": entries, **({"maxItems": most} if most else {})}


def fault(message: str, code: str = "invalid") -> forms.ValidationError:
    """Return one fault of a parameter."""
    return forms.ValidationError(message, code=code)


class Postponed(forms.ValidationError):
    """Raised by a field in place of a value that somebody else must be asked for: no fault, but no value either.

    It is asked for when the query has no fault (:meth:`QueryFilterSet.look_up`), and the field then cleans again.
    """


class ParameterField(forms.Field):
    """Base of the fields: refuses what no database can store, then leaves the occurrences to :meth:`read_all`."""

    widget: Any = ParameterInput
    schema: dict[str, Any]
    title = ""
    brief = ""
    prose = ""
    example: str | None = None

    def clean(self, value: list[str] | None) -> Any:
        """Return what the occurrences stand for, or ``None``. Raises ``ValidationError`` with every fault."""
        unreadable = {message for text in value or () if (message := fault_of_text(text))}
        if unreadable:
            raise forms.ValidationError([fault(message) for message in sorted(unreadable)])
        result = None if value is None else self.read_all(value)
        if result is None and self.required:
            raise fault("This parameter is required.", "required")
        return result

    def read_all(self, occurrences: list[str]) -> Any:
        """Return what at least one occurrence stands for together, or ``None`` when they count as not given."""
        raise NotImplementedError


class ScalarField(ParameterField):
    """A parameter with one value. Blank counts as not given; repeated occurrences must agree once normalised."""

    max_length = 100

    def read_all(self, occurrences: list[str]) -> Any:
        """Return the one value, or ``None``."""
        values: dict[Hashable, None] = {}
        faults = []
        for text in dict.fromkeys(text.strip() for text in self.counted(occurrences)):
            try:
                if len(text) > self.max_length:
                    message = f"At most {self.max_length} characters are allowed; {len(text)} were sent."
                    raise fault(message, "max_length")
                values[self.read(text)] = None
            except forms.ValidationError as error:
                faults.append(error)
        if len(values) > 1:
            faults.append(fault("The parameter is given more than once, with different values."))
        if faults:
            raise forms.ValidationError(faults)
        return next(iter(values), None)

    def counted(self, occurrences: list[str]) -> Iterable[str]:
        """Return the occurrences that count: those that are not blank."""
        return (text for text in occurrences if text.strip())

    def read(self, text: str) -> Hashable:
        """Return the normalised value of a trimmed text. Raises ``ValidationError``."""
        return text


class OptionField(ScalarField):
    """A parameter with few values, which the form's select lists. They are looked up when it is drawn."""

    widget = ChoiceSelect

    def options(self) -> Iterable[str]:
        """Return one spelling of each value."""
        raise NotImplementedError

    def selected(self, text: str) -> str | None:
        """Return the option that a trimmed text means; ``None`` for none."""
        try:
            return str(self.read(text))
        except forms.ValidationError:
            return None

    def get_bound_field(self, form: Any, field_name: str) -> Any:
        """Give the select its options."""
        self.widget.list_options, self.widget.selected = self.options, self.selected
        return super().get_bound_field(form, field_name)


class FlagField(OptionField):
    """``true``/``1``/``false``/``0``; a bare or blank flag is true."""

    schema = {"type": "boolean", "default": False}
    example = "true"

    def options(self) -> Iterable[str]:
        """Return the words for both values."""
        return ["true", "false"]

    def selected(self, text: str) -> str | None:
        """Return the word for the value of a text."""
        value = super().selected(text)
        return value and value.lower()

    def counted(self, occurrences: list[str]) -> Iterable[str]:
        """Return the occurrences that are not blank; when all are, the flag is set."""
        return list(super().counted(occurrences)) or [""]

    def read(self, text: str) -> bool:
        try:
            return FLAG_WORDS[text.lower()]
        except KeyError:
            raise fault(
                f"A flag is true, 1, false or 0 (or bare, which is true), not {quoted(text)}."
            ) from None


class LimitField(ScalarField):
    """Items a page, in one or two digits. Nothing is clamped silently."""

    max_length = 10_000
    title, brief = "Page size", f"1 to {MAX_LIMIT}."
    schema = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": MAX_LIMIT}
    prose = f"Items a page, from 1 to {MAX_LIMIT}; {MAX_LIMIT} when not given."
    example = "10"

    def read(self, text: str) -> int:
        if not re.fullmatch("[0-9]{1,2}", text) or not 1 <= int(text) <= MAX_LIMIT:
            raise fault(f"The limit is a whole number from 1 to {MAX_LIMIT}, not {quoted(text)}.")
        return int(text)


class CursorField(ScalarField):
    """The ``nextCursor`` of an earlier page; the value is the :class:`~core.rest.cursors.Cursor`."""

    max_length = 2000
    title, brief = "Cursor", "nextCursor of the page before."
    schema = text_schema(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", max_length)
    prose = (
        "The nextCursor of the page before, unchanged. It belongs to one operation, its filters and its order; the "
        "limit may change between pages."
    )
    refusal = "not a cursor of this operation: pass nextCursor"

    def read(self, text: str) -> Hashable:
        try:
            return decode(text)
        except ValueError:
            raise fault(
                f"{quoted(text)} is {self.refusal} of an earlier page unchanged.", "cursor_invalid"
            ) from None


class ListField(ParameterField):
    """A comma list, quoted as in CSV, repeated or both. The value is a frozen set; empty means "defined but empty"."""

    widget = ListInput

    max_entries: int | None = None
    max_entry_length = 100

    def read_all(self, occurrences: list[str]) -> frozenset[Any]:
        """Return the distinct entries, normalised."""
        texts: dict[str, None] = {}
        entries = set()
        faults = []
        for occurrence in dict.fromkeys(occurrences):
            try:
                texts.update(dict.fromkeys(split_list(occurrence)))
            except ListSyntaxError as error:
                faults.append(fault(f"{error} Entries that hold commas are quoted as in CSV."))
        bad = 0
        for text in texts:
            try:
                entries.add(self._read_short(text))
            except forms.ValidationError as error:
                faults.append(error)
                bad += 1
        distinct = len(entries) + bad
        if self.max_entries is not None and distinct > self.max_entries:
            message = f"At most {self.max_entries} distinct entries are allowed; {distinct} were sent."
            faults.append(fault(message, "max_length"))
        if faults:
            raise forms.ValidationError(faults)
        return frozenset(entries)

    def read_entry(self, text: str) -> Hashable:
        """Return the normalised value of an entry. Raises ``ValidationError``."""
        return text

    def _read_short(self, text: str) -> Hashable:
        if len(text) > self.max_entry_length:
            message = f"The entry {quoted(text)} is too long: at most {self.max_entry_length} characters are allowed."
            raise fault(message, "max_length")
        return self.read_entry(text)
