"""Every table can be browsed; what ingestion writes cannot be changed; what third parties wrote does no harm."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.test import Client

from core.backoffice import html
from core.backoffice.tables import EditableTableAdmin, TableAdmin
from media.models import CachedImage
from tests.admin.conftest import PASSWORD, Operator
from tests.admin.every_table import a_world
from tests.builders import ALICE, APES, ask, contract, load_lines, nft, rate
from tokens.models import Ask, Chain, Contract, Currency, CurrencyToken, Market, Nft

pytestmark = pytest.mark.django_db
COMPOSITE = {"NftTrait", "NftTraitRecent", "NftMarket", "NftRecent", "NftRendering"}
"""Shown on the NFT's page: the admin cannot register a composite primary key; the fourth is the NFT's other half, and
the fifth has nothing that is not in the NFT's own row."""


def registered() -> list[type[Any]]:
    return [
        model
        for model in admin.site._registry
        if model._meta.app_label in {"media", "tokens", "transfers", "indexing"}
    ]


def test_every_table_is_registered_but_those_of_composite_keys() -> None:
    ours = [
        model
        for app in ("media", "tokens", "transfers", "indexing")
        for model in apps.get_app_config(app).get_models()
    ]
    assert {model.__name__ for model in ours} - {model.__name__ for model in registered()} == COMPOSITE


def test_every_list_and_every_row_has_its_page(operator: Operator) -> None:
    a_world()
    operator.page("")
    models: list[type[Any]] = [*registered(), LogEntry]
    for model in models:
        name = f"{model._meta.app_label}/{model._meta.model_name}"
        operator.page(f"{name}/")
        row = model.objects.first()
        if row is not None:
            operator.page(f"{name}/{row.pk}/change/")
    page = operator.page(f"tokens/nft/{Nft.objects.get().pk}/change/")
    for shown in ("Hat", "red", "opensea", ALICE, "&quot;name&quot;: &quot;one&quot;"):
        assert shown in page


def test_lists_and_links_of_every_table_can_be_opened(operator: Operator) -> None:
    a_world()
    for model in registered():
        table: Any = admin.site.get_model_admin(model)
        name = f"{model._meta.app_label}/{model._meta.model_name}"
        for shown in table.lists:
            operator.page(f"{name}/", show=shown)
        for link in table.links:
            operator.page(f"{name}/", **{link: 1})


@pytest.mark.parametrize("kind", ["add", "change", "delete"])
def test_what_ingestion_writes_cannot_be_changed_by_hand(operator: Operator, kind: str) -> None:
    a_world()
    for model in registered():
        table = admin.site.get_model_admin(model)
        assert isinstance(table, TableAdmin)
        if isinstance(table, EditableTableAdmin):
            continue
        row = model.objects.first()
        path = "add" if kind == "add" else f"{row.pk if row else 1}/{kind}"
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/{path}/"
        response = operator.client.post(address, {"post": "yes"})
        assert response.status_code == 403, address


def test_nobody_is_let_in_without_logging_in(client: Client, operator: Operator) -> None:
    assert client.get("/admin").url == "/admin/"  # type: ignore[attr-defined]
    assert client.get("/admin/tokens/nft/").status_code == 302
    response = client.post("/admin/login/?next=/admin/", {"username": "olga", "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/admin/")
    cookie = response.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", "")


def test_forms_of_other_sites_are_refused(operator: Operator) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(operator.user)
    assert strict.post("/admin/tokens/market/add/", {"slug": "x"}).status_code == 403
    assert not Market.objects.filter(slug="x").exists()


def test_one_narrowing_at_a_time(operator: Operator) -> None:
    a_world()
    response = operator.client.get("/admin/tokens/nft/?contract=1&show=marked", follow=True)
    assert "one thing at a time" in response.content.decode()
    assert operator.client.get("/admin/tokens/nft/", {"uri__contains": "x"}).status_code == 400


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,<script>",
        "http:x\ny",
    ],
)
def test_a_hostile_url_is_text(url: str) -> None:
    assert 'href="java' not in html.external(url).lower()
    assert 'href="data' not in html.external(url)


def test_an_image_that_is_its_own_url_leaves_room_for_the_columns_behind_it() -> None:
    """A data: URI is one word, which no browser breaks."""
    assert html.external("data:image/png;base64," + "A" * 8_000) == "data:image/png;base64," + "A" * 27 + "…"


def test_pages_link_to_no_hostile_url_and_show_no_third_partys_image(operator: Operator) -> None:
    load_lines(
        [
            nft(
                "1",
                uri="javascript:alert(1)",
                metadata={"imageUrl": "data:text/html,<script>alert(2)</script>"},
            ),
            nft("2", metadata={"imageUrl": "https://example.com/2.png"}),
        ]
    )
    pages = [operator.page("tokens/nft/"), operator.page("media/cachedimage/")]
    pages += [operator.page(f"tokens/nft/{row.pk}/change/") for row in Nft.objects.all()]
    for page in pages:
        assert 'href="javascript:alert' not in page
        assert 'href="data:text' not in page
        assert "<script>alert" not in page
        assert 'src="https://example.com' not in page
    assert 'href="https://example.com/2.png" rel="noopener noreferrer"' in pages[1]


def test_content_is_linked_at_the_public_gateway_and_named_as_it_is_stored(operator: Operator) -> None:
    """F79: the row keeps to `ipfs://`; a browser knows no such thing."""
    uri = "ipfs://QmNf1UsmdGaMbpatQ6toXSkzDpizaGmC9zfunCyoz1enD5/1"
    load_lines([nft("1", uri=uri, metadata={"imageUrl": uri})])
    link = f'<a href="https://ipfs.io/ipfs/{uri[7:]}" rel="noopener noreferrer" target="_blank">{uri}</a>'
    assert operator.page(f"tokens/nft/{Nft.objects.get().pk}/change/").count(link) == 2
    assert link in operator.page("media/cachedimage/")


def test_a_cached_thumbnail_is_shown(operator: Operator) -> None:
    load_lines([nft("1", metadata={"imageUrl": "https://example.com/2.png"})])
    CachedImage.objects.update(state="ready", thumbnail_path="thumbs/2.webp")
    assert 'src="/files/thumbs/2.webp"' in operator.page("tokens/nft/")


def test_images_and_metadata_are_asked_for_again(operator: Operator) -> None:
    load_lines([nft("1", metadata={"imageUrl": "https://example.com/2.png"})])
    CachedImage.objects.update(state="failed", attempts=8, fault="404")
    row = Nft.objects.get()
    assert "1 image(s) will be fetched again" in operator.act("tokens/nft", "request_image", row.pk)
    image = CachedImage.objects.get()
    assert (image.state, image.attempts, image.lease, image.fault) == ("pending", 0, "", "")
    assert image.next_attempt_at is not None
    CachedImage.objects.update(state="failed")
    operator.act("media/cachedimage", "request_again", image.pk)
    assert operator.ids("media/cachedimage", show="due") == [image.pk]
    operator.act("tokens/nft", "request_metadata", row.pk)
    assert operator.ids("tokens/metadatafetch", show="pending") == [row.pk]
    assert LogEntry.objects.count() == 3


def test_an_operator_adds_a_marketplace_in_lower_case(operator: Operator) -> None:
    response = operator.client.post("/admin/tokens/market/add/", {"slug": "New-Market"})
    assert response.status_code == 302
    assert Market.objects.filter(slug="new-market").exists()
    assert LogEntry.objects.get().object_repr == "new-market"
    response = operator.client.post("/admin/tokens/market/add/", {"slug": "NEW-market"})
    assert "already exists" in response.content.decode()
    assert (
        "Letters, digits"
        in operator.client.post("/admin/tokens/market/add/", {"slug": "a b"}).content.decode()
    )


def test_a_currency_that_comes_to_wrap_another_has_its_asks_sorted_by_that_ones_rate(
    operator: Operator,
) -> None:
    load_lines([nft("1"), rate("ETH", "2000"), ask("1", currency="ETH"), ask("1", currency="XETH")])
    operator.client.post("/admin/tokens/currency/add/", {"symbol": "abc"})
    assert Currency.objects.filter(symbol="ABC").exists()
    row, ether = Currency.objects.get(symbol="XETH"), Currency.objects.get(symbol="ETH")
    response = operator.client.post(f"/admin/tokens/currency/{row.pk}/change/", {"wraps": ether.pk})
    assert response.status_code == 302, response.content
    assert len(set(Ask.objects.values_list("price_key", flat=True))) == 1


def test_a_currencys_contract_is_checked_by_the_rules_of_its_chain(operator: Operator) -> None:
    chain, currency = Chain.objects.get(slug="ethereum"), Currency.objects.get(symbol="ETH")
    given = {"chain": chain.pk, "currency": currency.pk, "decimals": 18, "address": "0x" + "AB" * 20}
    address = "/admin/tokens/currencytoken/add/"
    assert (
        "40 hexadecimal digits"
        in operator.client.post(address, {**given, "address": "0x12"}).content.decode()
    )
    assert "At most 77" in operator.client.post(address, {**given, "decimals": 78}).content.decode()
    assert operator.client.post(address, given).status_code == 302
    assert CurrencyToken.objects.filter(address="0x" + "ab" * 20, chain=chain).exists()


def test_a_chain_is_added_with_its_native_currency(operator: Operator) -> None:
    given = {"slug": "Moonbeam", "kind": "evm", "chain_id": 1284, "native_currency": "glmr"}
    assert operator.client.post("/admin/tokens/chain/add/", given).status_code == 302
    chain = Chain.objects.get(slug="moonbeam")
    assert CurrencyToken.objects.get(chain=chain).currency.symbol == "GLMR"
    change = f"/admin/tokens/chain/{chain.pk}/change/"
    assert operator.client.post(change, {"chain_id": 1, "native_currency": "GLMR"}).status_code == 200
    assert operator.client.post(change, {"chain_id": 1285, "native_currency": "GLMR"}).status_code == 302
    assert Chain.objects.get(slug="moonbeam").chain_id == 1285


def test_nothing_is_hidden_behind_the_word_nft(operator: Operator) -> None:
    load_lines([contract(), nft("1")])
    page = operator.page(f"tokens/contract/{Contract.objects.get().pk}/change/")
    assert f"/admin/tokens/nft/?contract={Contract.objects.get().pk}" in page
    assert APES in page


@pytest.mark.parametrize("seconds", [2**40, 2**62 - 1, 2**63 - 1])
def test_a_moment_beyond_all_calendars_is_a_number(seconds: int) -> None:
    assert html.moment(seconds) == str(seconds)
