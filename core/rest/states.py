"""What a page of the browsable API shows, as an address: every link that changes something of it is another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote_plus, urlencode

from django.utils.datastructures import MultiValueDict

from core.rest.parameters import OF_THE_PAGE, ListSyntaxError, join_list, split_list

_NOT_KEPT = {*OF_THE_PAGE, "format"}


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page; ``here`` where it leads to what is shown already, ``note`` what stands beside its text."""

    text: str
    url: str
    here: bool = False
    note: str = ""


class State:
    """The parameters of a page, and the addresses of others that differ in some of them.

    ``parameters`` are those of the query as :func:`core.rest.parameters.split` has them. What the page alone takes, and
    the format, is kept in no address.
    """

    def __init__(self, path: str, parameters: MultiValueDict[str, str]) -> None:
        self.path = path
        self.of_the_page: Mapping[str, str] = {}
        """What the page alone takes: which facet is unfolded, and what is looked for in it."""
        self._given = {name: values for name, values in parameters.lists() if name not in _NOT_KEPT}

    def address(
        self,
        changes: Mapping[str, str | None] | None = None,
        /,
        *,
        of_the_page: Mapping[str, str] | None = None,
        anchor: str = "",
    ) -> str:
        """Return the address with some parameters changed; ``None`` leaves one out.

        A cursor belongs to one query: it is kept only where nothing changes, or where it is what changes.
        """
        given: dict[str, list[str]] = {**self._given}
        if changes:
            given.pop("cursor", None)
        for name, value in (changes or {}).items():
            given.pop(name, None)
            if value is not None:
                given[name] = [value]
        given |= {name: [value] for name, value in (of_the_page or {}).items()}
        # Bytes that are no UTF-8 are lone surrogates here, and go out as they came; commas and colons stay readable.
        query = urlencode(given, doseq=True, safe=",:", errors="surrogateescape", quote_via=quote_plus)
        return (f"{self.path}?{query}" if query else self.path) + (f"#{anchor}" if anchor else "")

    def pairs(self) -> list[tuple[str, str]]:
        """Return the parameters as a form sends them again, without the cursor."""
        return [
            (name, printable(value))
            for name, values in self._given.items()
            if name != "cursor"
            for value in values
        ]

    def value(self, name: str) -> str:
        """Return the first occurrence of a parameter that is not blank; blank where there is none."""
        return next((text.strip() for text in self._given.get(name, ()) if text.strip()), "")

    def is_given(self, name: str) -> bool:
        """Tell whether a parameter is in the query at all."""
        return name in self._given

    def entries(self, name: str) -> list[str]:
        """Return the entries of a comma list; none where it cannot be read."""
        try:
            found = [entry for text in self._given.get(name, ()) for entry in split_list(text)]
        except ListSyntaxError:
            return []
        return list(dict.fromkeys(found))

    def toggled(self, name: str, entry: str) -> str:
        """Return the address with an entry of a comma list added, or without it where it is there."""
        entries = self.entries(name)
        changed = [one for one in entries if one != entry] if entry in entries else [*entries, entry]
        return self.address({name: join_list(changed) or None})

    def chips(self, titles: Mapping[str, str], lists: Iterable[str], names: Mapping[str, str]) -> list[Link]:
        """Return what is set, each with the address without it: an entry of a list by itself.

        ``titles`` are those of the parameters by name, in order; ``lists`` are those that are lists; ``names`` say what
        people call a value.
        """
        found = []
        for name, title in titles.items():
            if not self.is_given(name):
                continue
            entries = self.entries(name) if name in lists else []
            for entry in entries:
                found.append(Link(shown(names.get(entry, entry)), self.toggled(name, entry), note=title))
            if not entries:
                value = self.value(name)
                text = shown(names.get(value.lower(), value)) or "blank"
                found.append(Link(text, self.address({name: None}), note=title))
        return found


def printable(text: str) -> str:
    """Return a text without lone surrogates, which no page can hold."""
    return text.encode("utf-8", "replace").decode()


def shown(text: str, most: int = 60) -> str:
    """Return a text as a line of a page has it: shortened, and printable.

    An address of a chain keeps its beginning and its end.
    """
    text = printable(text)
    if text.isalnum() and len(text) > 30:
        return f"{text[:6]}…{text[-4:]}"
    return text if len(text) <= most else text[: most - 1] + "…"
