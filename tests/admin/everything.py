"""A world of NFTs, and all that an operator can do to it in the admin."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.urls import reverse

from media.models import CachedImage
from tests import waiting
from tests.admin.conftest import Operator
from tests.admin.pictures import ALONE, MOVIE, NEW, SHARED, UNSEEN, cache
from tests.builders import ALICE, APES, BOB, ZERO, ask, contract, ens, load_lines, nft, rate, transfer
from tests.files.lines import COLLECTION, MINT_A, MINT_B
from tokens.models import Chain, Contract, Currency, CurrencyToken, Market, Nft

OTHER, THIRD, GOLD, BAZAAR = ("0x" + digits * 20 for digits in ("ee", "dd", "90", "ba"))


def a_world() -> None:
    """NFTs on three chains with pictures, asks, sales and names."""
    gold = {"tokenAddress": GOLD, "amount": "3000000"}
    aux = {"tokenAddress": ZERO, "amount": "2000000000000000000"}
    picture = {"name": "one", "imageUrl": SHARED, "mediaUrl": MOVIE}
    report = load_lines(
        [
            *(rate(*one) for one in (("ETH", "2000"), ("AUX", "20"), ("GLD", "10"), ("POL", "0.25"))),
            ens("apes.eth", APES),
            ens("bob.eth", BOB),
            contract(name="Apes", ensName="apes.eth"),
            contract(OTHER, name="Others"),
            nft("1", metadata=picture, native={"image": SHARED}, traits=[("Hat", "red")]),
            nft("2", metadata={"imageUrl": ALONE}, traits=[("Hat", "red")]),
            nft("3", metadata={"imageUrl": NEW}, traits=[("Hat", "blue")]),
            nft("4", metadata={"imageUrl": UNSEEN}, owners=[{"address": ALICE, "amount": "1"}]),
            nft("1", OTHER, metadata={"imageUrl": SHARED}),
            nft("2", OTHER),
            nft("1", THIRD, metadata={"imageUrl": ALONE}),
            nft("7", on="polygon"),
            nft(MINT_A, COLLECTION, on="solana", metadata={"imageUrl": SHARED}),
            nft(MINT_B, None, on="solana", metadata={"name": "alone", "imageUrl": ALONE}),
            transfer("1", native={"image": SHARED}),
            transfer("1", block=2, sender=ALICE, receiver=BOB, nftValue=gold, markets=["Bazaar"]),
            transfer("2", block=3, nftValue={**gold, "amount": "5"}),
            transfer("7", on="polygon", block=4, nftValue=aux),
            ask("1", price="3", currency="GLD"),
            ask("2", price="2", currency="AUX", market="bazaar"),
            ask("3", price="1", currency="ETH"),
            ask("3", price="1.5", currency="MATIC"),
            ask("1", OTHER, price="4", currency="BARS"),
            ask("7", on="polygon", price="8", currency="WMATIC"),
        ]
    )
    assert report.faults == []
    CachedImage.objects.filter(url=UNSEEN).update(state="failed", next_attempt_at=None)
    cache()


def do_everything(operator: Operator) -> None:
    """All that the admin lets an operator do, by its own forms and actions."""
    add_to_dictionaries(operator)
    nfts = {(one.contract.address, one.token_id): one.pk for one in Nft.objects.select_related("contract")}
    homes = {(one.chain.slug, one.address): one.pk for one in Contract.objects.select_related("chain")}
    said = {"confirmed": "1", "reason": 'They "asked"\r\nfor it \u2028 <b>'}
    for action in ("mark", "withhold"):
        chosen = [homes["ethereum", OTHER], homes["solana", ""], homes["polygon", APES]]
        operator.act("tokens/contract", action, *chosen, **said)
        operator.act("tokens/nft", action, nfts[APES, "1"], nfts[APES, "2"], nfts[COLLECTION, MINT_A], **said)
    for undo in ("unmark", "release"):
        operator.act("tokens/contract", undo, homes["polygon", APES], **said)
        operator.act("tokens/nft", undo, nfts[APES, "2"], **said)
    image = {one.url: one.pk for one in CachedImage.objects.all()}
    operator.act("media/cachedimage", "withhold", image[SHARED], image[UNSEEN], image[NEW], **said)
    operator.act("media/cachedimage", "release", image[NEW])
    waiting.a_refresh(Contract.objects.get(pk=homes["ethereum", APES]))
    for table, action, *chosen in (
        ("tokens/contract", "request_metadata", homes["ethereum", THIRD]),
        ("tokens/contract", "request_rarity", homes["ethereum", APES]),
        ("tokens/nft", "request_metadata", nfts[APES, "3"]),
        ("tokens/nft", "request_image", nfts[APES, "3"]),
        ("media/cachedimage", "request_again", image[ALONE]),
        ("tokens/metadatafetch", "request_again", nfts[APES, "3"]),
    ):
        operator.act(str(table), str(action), *map(int, chosen))
    refresh = apps.get_model("tokens", "MetadataRefresh").objects.earliest("pk")
    operator.act("tokens/metadatarefresh", "forget", refresh.pk)
    ethereum = Chain.objects.get(slug="ethereum").pk
    send(
        operator,
        "/admin/indexing/bookwalk/add/",
        chain=ethereum,
        source="opensea",
        address=OTHER,
        named="a, b",
    )
    book = apps.get_model("indexing", "BookWalk").objects.get().pk
    send(operator, f"/admin/indexing/bookwalk/{book}/change/", named="a")
    for action in ("stop", "walk_again"):
        operator.act("indexing/bookwalk", action, book)
    user = {"username": "otto", "password1": "a long pass phrase", "password2": "a long pass phrase"}
    send(operator, reverse("admin:auth_user_add"), usable_password="true", **user)
    assert User.objects.filter(username="otto").exists()


def add_to_dictionaries(operator: Operator) -> None:
    """Add to, change and delete from the tables that may be edited, in all the ways that they can be."""
    add_chains_and_currencies(operator)
    add_tokens(operator)
    add_markets(operator)


def add_chains_and_currencies(operator: Operator) -> None:
    """Chains with a number, with none, and currencies that wrap others or are others' names."""
    add(operator, "chain", slug="My.net_2", kind="evm", chain_id=4242, native_currency="myc")
    add(operator, "chain", slug="minty", kind="mint", native_currency="myc")
    change(operator, Chain.objects.get(slug="sepolia"), native_currency="SEP", chain_id=99)
    change(operator, Chain.objects.get(slug="zora"), native_currency="ETH")  # no number
    add(operator, "currency", symbol="idle")
    add(operator, "currency", symbol="wbars", wraps=currency("BARS").pk)
    change(operator, currency("GLD"), wraps=currency("ETH").pk)
    change(operator, currency("AUX"), alias_of=currency("POL").pk)
    change(operator, currency("MATIC"))
    change(operator, currency("WAPE"))
    change(operator, currency("MYC"), alias_of=currency("APE").pk)


def add_tokens(operator: Operator) -> None:
    """Contracts of currencies, one changed in its decimals, one become another currency's, and some taken away."""
    ethereum = Chain.objects.get(slug="ethereum").pk
    add(operator, "currencytoken", chain=ethereum, address=GOLD, currency=currency("GLD").pk, decimals=6)
    usdc = CurrencyToken.objects.get(chain=ethereum, currency__symbol="USDC")
    native = CurrencyToken.objects.get(chain__slug="polygon", address=ZERO)
    for one, of, decimals in ((usdc, usdc.currency_id, 7), (native, currency("BARS").pk, 3)):
        change(operator, one, chain=one.chain_id, address=one.address, currency=of, decimals=decimals)
    gone = CurrencyToken.objects.filter(currency__symbol__in=["DAI", "SAND", "SEP"]).values_list(
        "pk", flat=True
    )
    send(operator, f"/admin/tokens/currencytoken/{gone[0]}/delete/", post="yes")
    operator.act("tokens/currencytoken", "delete_selected", *gone, post="yes")


def add_markets(operator: Operator) -> None:
    """Marketplaces with a name, without one, and their contracts, one of which is taken away."""
    add(operator, "market", slug="unnamed")
    add(operator, "market", slug="souk", name="The Souk, “old”")
    for slug, name in (("bazaar", "Bazaar"), ("opensea", "Open Ocean"), ("blur", "")):
        change(operator, Market.objects.get(slug=slug), name=name)
    ethereum = Chain.objects.get(slug="ethereum").pk
    for digit, slug, protocol in (
        ("1", "souk", ""),
        ("2", "opensea", "seaport-1.5"),
        ("3", "opensea", "x2y2"),
    ):
        market, address = Market.objects.get(slug=slug).pk, BAZAAR[:-1] + digit
        row = {"chain": ethereum, "address": address, "market": market, "protocol": protocol}
        send(operator, "/admin/transfers/marketcontract/add/", **row)
    wrong = apps.get_model("transfers", "MarketContract").objects.get(protocol="x2y2")
    send(operator, f"/admin/transfers/marketcontract/{wrong.pk}/delete/", post="yes")


def add(operator: Operator, table: str, /, **form: Any) -> None:
    """Add a row to a table of ``tokens``."""
    send(operator, f"/admin/tokens/{table}/add/", **form)


def change(operator: Operator, row: Model, /, **form: Any) -> None:
    """Change a row of a table of ``tokens``."""
    send(operator, f"/admin/tokens/{row._meta.model_name}/{row.pk}/change/", **form)


def currency(symbol: str) -> Currency:
    """Return a currency."""
    return Currency.objects.get(symbol=symbol)


def send(operator: Operator, address: str, /, **form: Any) -> None:
    """Send a form, which must be taken."""
    response = operator.client.post(address, {"kind": "", "name": "", **form})
    assert response.status_code == 302, (address, response.content.decode()[-3_000:])
