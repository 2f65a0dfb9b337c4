"""No address and no query string is a fault of ours; `make drill NAME=addresses` tries very many more."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client

from tests.addresses.admin_addresses import admin_requests, gapped
from tests.addresses.query_strings import api_requests, real_cursors
from tests.addresses.sending import Sent, admin_fault, api_fault, send_all
from tests.addresses.standing import OperatorClient, stand
from tests.drawn import seed

pytestmark = pytest.mark.django_db
ADDRESSES, COUNT = 330, 200
"""On each engine, and others on each; of the admin enough for every address that it has."""


@pytest.fixture(autouse=True)
def everything(db: None) -> None:
    """Rows of every table."""
    stand()


def test_no_address_of_the_admin_is_a_fault() -> None:
    tally = send_all(
        OperatorClient(raise_request_exception=False), admin_requests(seed(), ADDRESSES), admin_fault
    )
    assert tally.wrong == []
    assert tally.counts["GET", 200] > ADDRESSES / 20, "what is refused at the door proves little"


def test_no_query_string_is_a_fault() -> None:
    tally = send_all(
        Client(raise_request_exception=False), api_requests(seed(), COUNT, real_cursors()), api_fault
    )
    assert tally.wrong == []
    assert tally.counts["GET", 200] > COUNT / 20, "what is refused at the door proves little"


def test_every_page_of_every_table_is_among_the_addresses() -> None:
    found = gapped()
    assert len(found) <= ADDRESSES
    for model in admin.site._registry:
        head = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        ends = {address.removeprefix(head) for address in found if address.startswith(head)}
        assert ends >= {"", "add/", "\x00/change/", "\x00/history/", "\x00/delete/"}, head
    assert {"/", "/admin/", "/admin/login/", "/admin/indexer/", "/admin/r/\x00/\x00/"} <= set(found)
    assert "/admin/auth/user/\x00/password/" in found


def test_the_same_seed_makes_the_same_requests() -> None:
    cursors = real_cursors()
    for one, again, other in (
        [list(admin_requests(start, 60)) for start in (5, 5, 6)],
        [list(api_requests(start, 60, cursors)) for start in (5, 5, 6)],
    ):
        assert one == again != other


def found_out(address: str, accept: str = "text/html") -> int:
    """The status of one address of the admin, which must be fine."""
    path, _, query = address.partition("?")
    tally = send_all(
        OperatorClient(raise_request_exception=False), [Sent(path, query, accept=accept)], admin_fault
    )
    assert tally.wrong == []
    ((_, status),) = tally.counts
    return status


def test_a_row_that_is_named_by_an_odd_field_is_refused_or_not_there() -> None:
    for model in admin.site._registry:
        head = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        for name in ("", "nonsense", "%00"):
            for row in model._default_manager.order_by("pk")[:1]:
                assert found_out(f"{head}{row.pk}/change/?_to_field={name}") in {302, 400, 403}


def test_the_lists_of_users_and_groups_are_narrowed_by_their_filters_alone() -> None:
    for lookup, value in (("range", "abc"), ("range", ""), ("in", "%00"), ("regex", "["), ("exact", "1,2")):
        for field in ("name", "permissions", "user__password"):
            assert found_out(f"/admin/auth/group/?{field}__{lookup}={value}") == 400
        for field in ("username", "date_joined", "groups__user__password"):
            assert found_out(f"/admin/auth/user/?{field}__{lookup}={value}") == 400


def test_the_filters_of_users_narrow_their_list() -> None:
    for query in (
        "is_staff__exact=1",
        "is_active__exact=0",
        "groups__id__exact=1",
        "groups__isnull=True",
        "q=olga",
    ):
        assert found_out(f"/admin/auth/user/?{query}") == 200


def test_the_page_of_documentation_refuses_in_the_documented_body() -> None:
    assert found_out("/api/v1/docs", accept="application/json") == 406
