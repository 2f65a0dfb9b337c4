"""What the addresses are tried on: something of everything, and an operator who stays logged in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client

from tests.admin.every_table import a_world
from tests.operations.everything import everything
from tests.operations.promises import given


def stand() -> None:
    """Write a row of every table, and the world that queries are counted on."""
    a_world()
    Group.objects.create(name="operators")
    given(*everything())


class OperatorClient(Client):
    """Logs in, and again when a form that it sent has ended that: by logging out, or by what it made of the user."""

    def generic(self, *args: Any, **kwargs: Any) -> Any:
        """The answer to one who is logged in."""
        response: Any = super().generic(*args, **kwargs)
        if response.status_code != 302 or not response.headers["Location"].startswith("/admin/login/"):
            return response
        rights = {"is_active": True, "is_staff": True, "is_superuser": True}
        self.force_login(User.objects.update_or_create(username="olga", defaults=rights)[0])
        return super().generic(*args, **kwargs)
