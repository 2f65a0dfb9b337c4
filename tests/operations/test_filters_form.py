"""The form that the browsable API shows, and what the parameters of NFTs by Token say of themselves."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.http import HttpRequest

from tokens.query.filters import NftFilterSet

pytestmark = pytest.mark.django_db


class TestForm:
    """The form that the browsable API shows."""

    def html(self, query: str) -> str:
        filters = NftFilterSet(query, request=HttpRequest())
        return str(filters.form.as_p())

    def test_controls(self) -> None:
        html = self.html("")
        filters: dict[str, Any] = NftFilterSet.base_filters
        for name, declared in filters.items():
            assert re.search(rf'name="{name}(\.0)?"', html), name
            assert f">{declared.title}:</l" in html, "its name for people, in a label or a legend"
        assert '<input type="hidden" name="_form" value="1"' in html
        assert html.count("<select") == 4  # chain, sortBy and two flags of three states
        assert html.count(">not set</option>") == 4
        assert '<option value="solana">' in html
        assert '<option value="tokenId-desc">' in html
        assert "tokenId-asc</option>" not in html

    def test_it_shows_what_was_asked(self) -> None:
        html = self.html(
            'chain=1&limit=5&excludeMarkedNfts&includeLastTransfer=0&sortBy=tokenid-ASC&tokenId=1&tokenId=2,"3"'
            "&traits=%22a-b,%3Cscript%3E%22"
        )
        assert '<option value="ethereum" selected>' in html
        assert '<option value="tokenId" selected>' in html
        assert '<option value="true" selected>' in html
        assert '<option value="false" selected>' in html
        assert 'name="limit" value="5"' in html
        assert 'name="tokenId" value="1,2,&quot;3&quot;"' in html
        assert "<script>" not in html

    @pytest.mark.parametrize(
        ("query", "shown"),
        [
            ("priceFilter=weth,0.5,2", ["weth", "0.5", "2"]),
            ("priceFilter=eth,,", ["eth", "", ""]),
            ("priceFilter=eth", ["eth", "", ""]),
            ("priceFilter=1,2,3,4", ["1,2,3,4", "", ""]),
            ("", ["", "", ""]),
        ],
    )
    def test_a_price_has_a_control_for_each_part_and_what_cannot_be_split_stands_in_the_first(
        self, query: str, shown: list[str]
    ) -> None:
        assert re.findall(r'name="priceFilter\.\d" value="([^"]*)"', self.html(query)) == shown

    @pytest.mark.parametrize(
        "query", ["tokenId=%ed%a0%80&traits=%00&chain=%ff&limit=%ff", "chain=nope&sortBy=nope&limit=0"]
    )
    def test_it_draws_whatever_was_sent(self, query: str) -> None:
        self.html(query).encode()


@pytest.mark.parametrize("name", NftFilterSet.base_filters)
def test_every_parameter_documents_itself(name: str) -> None:
    declared: Any = NftFilterSet.base_filters[name]
    assert len(declared.extra["help_text"]) > 40
    assert 0 < len(declared.brief) < 45, "one short line; the rest stands behind a mark"
    assert not set("<>") & set(declared.extra["help_text"])  # it is drawn as HTML
    assert declared.field_class.schema["type"] in {"string", "integer", "boolean", "array"}
    if declared.example is not None:
        assert NftFilterSet(f"{name}={quote(declared.example)}").faults == {}
