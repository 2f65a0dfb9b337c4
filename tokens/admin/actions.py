"""The actions that NFTs and contracts have in common: marks and takedowns, each with its opposite."""

from __future__ import annotations

from collections.abc import Callable

from core.backoffice.actions import Action, Chosen

Write = Callable[[Chosen, bool], int]
"""Sets (or takes away) a mark or takedown of the chosen rows, within the transaction."""
After = Callable[[Chosen, int], str]


def marking(write: Write, after: After) -> tuple[Action, Action]:
    """Return the actions that mark rows and that take their marks away."""

    def action(verb: str, marked: bool) -> Action:
        return Action(
            short_description=f"{verb}…",
            question=f"{verb} {{rows}}",
            needs_reason=marked,
            write=lambda chosen: write(chosen, marked),
            after=after,
            entry=f"{verb}ed. Reason: {{reason}}",
            told=f"{verb}ed {{rows}}.",
        )

    return action("Mark", True), action("Unmark", False)


def withholding(write: Write, after: After) -> tuple[Action, Action]:
    """Return the actions that keep the media of rows from being served and that let them be served again."""

    def action(button: str, verb: str, withheld: bool) -> Action:
        return Action(
            short_description=button,
            question=f"{verb}: the media of {{rows}}",
            needs_reason=withheld,
            write=lambda chosen: write(chosen, withheld),
            after=after,
            entry=f"{verb}. Reason: {{reason}}",
            told=f"{verb}: {{rows}}.",
        )

    return (
        action("Keep media from being served…", "Keep from being served", True),
        action("Serve media again…", "Serve again", False),
    )
