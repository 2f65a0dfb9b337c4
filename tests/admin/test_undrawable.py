"""An NFT whose picture cannot be drawn right has none in an answer, and operators read why."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from media.models import CachedImage
from tests.admin.conftest import Operator
from tests.builders import load_lines, nft
from tests.conftest import Api
from tests.images.inputs import svg

CACHED = {"imageCacheUrl", "imageCachePreviewUrl", "imageCacheThumbnailUrl"}
GROUND = '<rect width="100" height="100" fill="red"/>'
UNDRAWABLE = {
    "1": (
        '<foreignObject width="99" height="99"><p xmlns="http://www.w3.org/1999/xhtml">Words</p></foreignObject>',
        "HTML",
    ),
    "2": ('<image width="9" height="9" href="https://elsewhere.example/a.png"/>', "elsewhere"),
    "3": ('<rect width="9" height="9" style="mix-blend-mode:plus-lighter"/>', "mix-blend-mode"),
    "4": ("", "Nothing of it can be seen"),
}
"""Bodies by id of their NFT, with a part of the reason; the last one is alone in its document."""


def uri(document: bytes) -> str:
    """A document as an address."""
    return f"data:image/svg+xml;base64,{base64.b64encode(document).decode()}"


@pytest.mark.django_db(transaction=True)
def test_what_cannot_be_drawn_has_no_cache_url_and_its_reason_is_told(
    api: Api, operator: Operator, settings: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    urls = {token: uri(svg(GROUND if body else "", body)) for token, (body, _) in UNDRAWABLE.items()}
    urls["5"] = uri(svg(GROUND))
    load_lines([nft(token, metadata={"imageUrl": url}) for token, url in urls.items()])
    call_command("cache_images")
    assert capsys.readouterr().out.startswith("Images: 4 failed, 1 ready.")
    records = {one["tokenId"]: one["metadata"] for one in api.nfts()["data"]}
    assert {token for token, metadata in records.items() if metadata.keys() & CACHED} == {"5"}
    assert {token: metadata["imageUrl"] for token, metadata in records.items()} == urls
    for token, (_, reason) in UNDRAWABLE.items():
        image = CachedImage.objects.get(url=urls[token])
        assert (image.state, image.original_path, image.next_attempt_at) == ("failed", "", None)
        page = operator.page(f"media/cachedimage/{image.pk}/change/")
        assert reason in image.fault
        assert image.fault.split("(")[0] in page
        assert "failed" in page
