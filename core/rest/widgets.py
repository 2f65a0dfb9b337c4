"""Controls of the filter form, for parameters that may occur more than once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.rest.states import printable


class Occurrences(forms.Widget):
    """What all widgets of parameters share: the value is the list of all occurrences, ``None`` when there is none."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str] | None:
        """Return the occurrences of a parameter, in order."""
        return data.getlist(name) or None


class ParameterInput(Occurrences, forms.TextInput):
    """A text control that shows the first occurrence that is not blank."""

    def format_value(self, value: list[str] | None) -> str | None:
        return next((printable(text) for text in value or () if text.strip()), None)


class ListInput(Occurrences, forms.TextInput):
    """A text control for a comma list: several occurrences are shown as one list."""

    def format_value(self, value: list[str] | None) -> str | None:
        """Return the text shown, which means the same as the occurrences together."""
        return ",".join(printable(text) for text in value or () if text.strip()) or None


class ChoiceSelect(Occurrences, forms.Select):
    """A select whose options are made when the form is drawn, and never when a query is answered."""

    list_options: Callable[[], Iterable[str]]
    selected: Callable[[str], str | None]

    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> Any:
        """Return the options, the one that the query names being selected, however it spells it."""
        self.choices = [("", "not set"), *((option, option) for option in self.list_options())]
        sent = next((text for text in value if text.strip()), "") if value else None
        selected = None if sent is None else self.selected(sent.strip())
        return super().optgroups(name, [selected or ""], attrs)

    def format_value(self, value: Any) -> list[str]:
        """Return the occurrences as the list that ``optgroups`` takes."""
        return list(value or [])


class PartsInput(Occurrences):
    """One control for each part of a parameter whose parts are divided by commas.

    The browser sends them as ``<name>.0``, ``<name>.1``, …, of which :func:`core.rest.parameters.without_blanks` makes
    the parameter. ``usual`` stands for a first part that is left blank while another is given.
    """

    use_fieldset = True
    labels: tuple[str, ...] = ("Currency", "Lowest", "Highest")
    hints: tuple[str, ...] = ("", "min", "max")
    usual = "eth"

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the controls; a value that does not have these parts stands in the first, to be mended."""
        shown = next((printable(text) for text in value or () if text.strip()), "")
        parts = [part.strip() for part in shown.split(",")]
        if len(parts) != len(self.labels):
            parts = [shown, *[""] * (len(self.labels) - 1)]
        identity = (attrs or {}).get("id", f"id_{name}")
        told = {key: text for key, text in (attrs or {}).items() if key.startswith("aria-")}
        controls = [
            format_html(
                '<input type="text" name="{}.{}" value="{}" id="{}" aria-label="{}" placeholder="{}"{}>',
                *(name, number, part, identity if not number else f"{identity}_{number}", label),
                *(self.hints[number] or self.usual, forms.utils.flatatt(told)),
            )
            for number, (part, label) in enumerate(zip(parts, self.labels, strict=True))
        ]
        usual = format_html('<input type="hidden" name="{}.usual" value="{}">', name, self.usual)
        return format_html('<span class="parts">{}{}{}{}</span>', *controls, usual)
