"""An operator, and what there is for him to look after."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import strip_tags

PASSWORD = "correct horse battery staple"


class Operator:
    """A logged-in operator: opens lists, searches, and uses actions, following to the page that comes after."""

    def __init__(self) -> None:
        self.user = User.objects.create_superuser("olga", password=PASSWORD)
        self.client = Client()
        self.client.force_login(self.user)

    def page(self, address: str, /, **query: Any) -> str:
        """The page's HTML, which must be there."""
        response = self.client.get(f"/admin/{address}", query)
        assert response.status_code == 200, (response.status_code, response.headers)
        return response.content.decode()

    def ids(self, table: str, **query: Any) -> list[int]:
        """The rows that a list shows."""
        found = re.findall(r'name="_selected_action" value="(\d+)"', self.page(f"{table}/", **query))
        return [int(row_id) for row_id in found]

    def found(self, table: str, term: str) -> list[int]:
        """The rows that a search finds, also in tables without actions."""
        response = self.client.get(f"/admin/{table}/", {"q": term})
        assert response.status_code == 200
        return [row.pk for row in response.context["cl"].result_list]

    def act(self, table: str, action: str, *ids: int, **fields: str) -> str:
        """Choose rows and an action; the text of the page that follows."""
        sent = {"action": action, "_selected_action": list(ids), **fields}
        response = self.client.post(f"/admin/{table}/", sent, follow=True)
        assert response.status_code == 200
        return re.sub(r"\s+", " ", strip_tags(response.content.decode()))


@pytest.fixture
def operator(db: None) -> Operator:
    """Olga."""
    return Operator()
