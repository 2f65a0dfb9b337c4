"""Model fields whose values are exact and sort alike on PostgreSQL and SQLite."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from core.db.keys import scaled, uint_from_key, uint_key, unscaled

if TYPE_CHECKING:
    _TextField = models.CharField[Any, Any]
else:
    _TextField = models.CharField


class KeyField(_TextField):
    """Text that compares bytewise on both databases.

    ``db_collation="C"`` on a CharField would break SQLite, whose default (BINARY) is bytewise already; so the
    collation is named on PostgreSQL alone.
    """

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        """Return the column's type, with the C collation on PostgreSQL."""
        parameters = super().db_parameters(connection)
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters


class Uint256Field(KeyField):
    """A non-negative integer of up to 256 bits, kept as length-prefixed decimal text, in Python an ``int``."""

    if TYPE_CHECKING:
        _pyi_private_get_type: int  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 101)
        super().__init__(*args, **kwargs)

    def from_db_value(self, value: str | None, *_: Any) -> int | None:
        """Return the integer of a stored key."""
        return None if value is None else uint_from_key(value)

    def to_python(self, value: Any) -> int | None:
        """Return an integer from what a form or a deserialiser gives."""
        return None if value in (None, "") else int(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Return the key to store or compare."""
        value = super(models.CharField, self).get_prep_value(value)
        return None if value is None else uint_key(int(value))


class Decimal18Field(Uint256Field):
    """A non-negative decimal of up to 18 places, exact, kept as the length-prefixed text of value * 10**18.

    SQLite keeps a DecimalField as a float (0.070000000000000001 equals 0.07 there), and PostgreSQL's numeric needs a
    bound that joke prices near 10**59 exceed; this field has neither defect.
    """

    if TYPE_CHECKING:
        _pyi_private_get_type: Decimal  # type: ignore[assignment]
        _pyi_private_set_type: Decimal | int  # type: ignore[assignment]

    def from_db_value(self, value: str | None, *_: Any) -> Decimal | None:  # type: ignore[override]
        """Return the decimal of a stored key."""
        return None if value is None else unscaled(uint_from_key(value))

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]
        """Return a decimal from what a form or a deserialiser gives."""
        return None if value in (None, "") else Decimal(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Return the key to store or compare. Raises ``ValueError`` for more than 18 places."""
        value = super(models.CharField, self).get_prep_value(value)
        return None if value is None else uint_key(scaled(Decimal(value)))
