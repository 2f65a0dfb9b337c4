"""Whatever stands in a form of the admin: a page, a redirect or a 4xx, never a fault; addresses: `tests/addresses`."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.contrib import admin
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests import drawn
from tests.addresses.values import HOSTILE
from tests.admin.conftest import Operator
from tests.admin.every_table import a_world

pytestmark = pytest.mark.django_db

values = st.one_of(
    st.sampled_from(HOSTILE), st.text(max_size=40), st.integers().map(str), st.floats().map(str)
)
tables = st.sampled_from(sorted(admin.site._registry, key=lambda model: model._meta.label))


def address_of(model: Any) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


@pytest.fixture
def client(operator: Operator) -> Client:
    """An operator's, in a world in which there is something of everything; it tells of faults by status 500."""
    a_world()
    operator.client.raise_request_exception = False
    return operator.client


def wire(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def check(response: Any, what: str) -> None:
    assert response.status_code < 500, what


@drawn.examples(100)
@given(data=st.data())
def test_actions(client: Client, data: st.DataObject) -> None:
    model = data.draw(tables)
    table: Any = admin.site._registry[model]
    actions = [name for _, name, _ in table._get_base_actions()]
    sent = {
        "action": data.draw(st.sampled_from([*actions, "nonsense"]) if actions else values),
        "_selected_action": data.draw(st.lists(values, min_size=1, max_size=3)),
        **data.draw(
            st.dictionaries(
                st.sampled_from(["index", "select_across", "confirmed", "reason", "post"]), values
            )
        ),
    }
    body = "&".join(
        f"{name}={wire(value)}"
        for name, found in sent.items()
        for value in ([found] if isinstance(found, str) else found)
    )
    response = client.post(address_of(model), body, content_type="application/x-www-form-urlencoded")
    check(response, f"{address_of(model)} {body}")


@drawn.examples(40)
@given(data=st.data())
def test_forms(client: Client, data: st.DataObject) -> None:
    model = data.draw(tables)
    fields = [field.name for field in model._meta.get_fields()]
    sent = data.draw(st.dictionaries(st.sampled_from(fields), values, max_size=6))
    body = "&".join(f"{name}={wire(value)}" for name, value in sent.items())
    for page in ("add/", "1/change/"):
        response = client.post(
            address_of(model) + page, body, content_type="application/x-www-form-urlencoded"
        )
        check(response, f"{page} {body}")


UNREADABLE = [
    ("application/x-www-form-urlencoded; charset=rot13", b"a=1"),
    ("application/x-www-form-urlencoded; charset=utf-16", b"a=1"),
    ("multipart/form-data", b"a=1"),
    ("multipart/form-data; boundary=", b"--\r\n"),
    ("multipart/form-data; boundary=\xe9", b"--\r\n"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n"),
    (
        "multipart/form-data; boundary=x",
        b"--x\r\nContent-Disposition: form-data; name=a; filename*=rot13''b\r\n\r\nq\r\n--x--\r\n",
    ),
    (
        "multipart/form-data; boundary=x",
        b"--x\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\n*\r\n--x--\r\n",
    ),
    ("multipart/form-data; boundary=x; charset=hex", b"--x--\r\n"),
    ("text/html; charset=rot13", b""),
    ("application/json", b"\xff"),
]


@pytest.mark.parametrize(
    "address", ["/admin/login/", "/admin/tokens/market/add/", "/admin/", "/api/v1/nfts/by-token", "/"]
)
def test_forms_that_cannot_be_read(client: Client, address: str) -> None:
    for content_type, body in UNREADABLE:
        for method in ("POST", "PUT", "DELETE", "GET"):
            response = client.generic(method, address, body, content_type=content_type)
            check(response, f"{method} {address} {content_type}")


def test_a_query_string_of_the_admin_that_is_fine_is_answered(client: Client) -> None:
    assert client.get("/admin/tokens/nft/?" + urlencode({"show": "nonsense"})).status_code == 302
    assert client.get("/admin/tokens/nft/").status_code == 200
