"""Whatever stands in an address or a form of the admin: a page, an empty list, a redirect or a 4xx, never a fault."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.contrib import admin
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.admin.conftest import Operator
from tests.admin.test_tables import a_world

pytestmark = pytest.mark.django_db

HOSTILE = [
    *(
        "",
        "0",
        "-1",
        "9223372036854775808",
        "99999999999999999999999999",
        "1" * 5000,
        "-" + "9" * 30,
        "1e999",
        "1.5",
        "NaN",
    ),
    *(
        "\x00",
        "a\x00b",
        "\ud800",
        "%00",
        "%ff",
        "é",
        "🦖" * 300,
        "x" * 3000,
        "' OR 1=1 --",
        "1_0",
        "１２",
        " 7 ",
        "\n",
    ),
    *(
        "True",
        "None",
        "null",
        "[]",
        "{}",
        "1,2",
        ",",
        "0x" + "f" * 64,
        "9999-99-99",
        "2024-01-01T25:00",
        "10000-01-01",
    ),
    *("../..", "a/b", "_5F", "_", "<script>", "\u202e", "0" * 200),
]
values = st.one_of(
    st.sampled_from(HOSTILE), st.text(max_size=40), st.integers().map(str), st.floats().map(str)
)
EVERYWHERE = [
    "show",
    "q",
    "p",
    "all",
    "o",
    "e",
    "_popup",
    "_to_field",
    "_changelist_filters",
    "pk",
    "id",
    "_facets",
]
SUFFIXES = [
    "",
    "__exact",
    "__in",
    "__gte",
    "__isnull",
    "__year",
    "__range",
    "__startswith",
    "__nonsense",
    "__id__in",
]
tables = st.sampled_from(sorted(admin.site._registry, key=lambda model: model._meta.label))


def address_of(model: Any) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def parameters_of(model: Any) -> list[str]:
    table: Any = admin.site._registry[model]
    fields = [field.name for field in model._meta.get_fields()]
    return [*EVERYWHERE, *getattr(table, "links", {}), *(name + end for name in fields for end in SUFFIXES)]


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


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_lists(client: Client, data: st.DataObject) -> None:
    model = data.draw(tables)
    names = st.one_of(st.sampled_from(parameters_of(model)), st.sampled_from(HOSTILE))
    query = data.draw(st.lists(st.tuples(names, values), min_size=1, max_size=2))
    address = address_of(model) + "?" + "&".join(f"{wire(name)}={wire(value)}" for name, value in query)
    check(client.get(address), address)


@pytest.mark.parametrize("value", [value for value in HOSTILE if len(value) < 100])
def test_each_narrowing_of_each_list(client: Client, value: str) -> None:
    for model, table in admin.site._registry.items():
        for name in [*getattr(table, "links", {}), "show", "q", "p"]:
            address = f"{address_of(model)}?{name}={wire(value)}"
            check(client.get(address), address)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_pages_of_rows(client: Client, data: st.DataObject) -> None:
    value = data.draw(values)
    page = data.draw(st.sampled_from(["change/", "history/", "delete/", "password/", "", "nonsense/"]))
    query = data.draw(
        st.sampled_from(["", "?_to_field=id", "?_to_field=%00", "?_changelist_filters=%00%ff", "?_popup=1"])
    )
    address = f"{address_of(data.draw(tables))}{wire(value)}/{page}{query}"
    check(client.get(address), address)
    body = f"_save=1&id={wire(value)}"
    check(client.post(address, body, content_type="application/x-www-form-urlencoded"), address)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
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


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(first=values, second=values, third=values)
def test_other_addresses(client: Client, first: str, second: str, third: str) -> None:
    one, two, three = wire(first), wire(second), wire(third)
    for address in [
        f"/admin/r/{one}/{two}/",
        f"/admin/r/1/{two}/",
        f"/admin/autocomplete/?app_label={one}&model_name={two}&field_name={three}&term={one}",
        f"/admin/autocomplete/?app_label=tokens&model_name=ask&field_name=nft&term={one}",
        f"/admin/jsi18n/?{one}={two}",
        f"/admin/login/?next={one}",
        f"/admin/{one}/",
        f"/admin/{one}",
        f"/admin/tokens/{one}/",
        f"/admin/auth/user/add/?username={one}&groups={two}&date_joined={three}",
        f"/admin/tokens/market/add/?{one}={two}",
        f"/admin/indexer/?{one}={two}",
        f"/admin/password_change/?{one}={two}",
    ]:
        check(client.get(address), address)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
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


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
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
    ],
)
@pytest.mark.parametrize(
    "address", ["/admin/login/", "/admin/tokens/market/add/", "/admin/", "/api/v1/nfts/by-token", "/"]
)
def test_forms_that_cannot_be_read(client: Client, content_type: str, body: bytes, address: str) -> None:
    for method in ("POST", "PUT", "DELETE", "GET"):
        response = client.generic(method, address, body, content_type=content_type)
        check(response, f"{method} {address} {content_type}")


def test_a_query_string_of_the_admin_that_is_fine_is_answered(client: Client) -> None:
    assert client.get("/admin/tokens/nft/?" + urlencode({"show": "nonsense"})).status_code == 302
    assert client.get("/admin/tokens/nft/").status_code == 200
