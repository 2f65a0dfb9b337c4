"""URIs as authors write them, and the one form that is stored; what a browser is sent to; ids put into templates."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net.http.uris import LONGEST_URI, BadUriError, RefusedUriError, canonical, public_url, with_token_id
from tests.net.content import PIECES, TRANSACTION, V0, V1

KEY = "k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8"
BASE58_V1 = "zdj7WWeQ43G6JJvLWQWZpyHuAMq6uYWRjkBXFad11vE2LHhQ7"
SANDBOX = "snc7hwptstbthpx6cg6v6kr5vj5dqovcmxzuxhd3sgrtc3b4ekoa"

STORED = {
    f"ipfs://{V0}": f"ipfs://{V0}",
    f"IPFS://{V0}/1.json": f"ipfs://{V0}/1.json",
    f"ipfs://ipfs/{V0}/1": f"ipfs://{V0}/1",
    f"ipfs://ipfs/ipfs/{V0}/1": f"ipfs://{V0}/1",
    f"ipfs:/{V0}": f"ipfs://{V0}",
    f"ipfs:{V0}/1": f"ipfs://{V0}/1",
    f"ipfs:///ipfs/{V0}": f"ipfs://{V0}",
    f"dweb:/ipfs/{V0}/a": f"ipfs://{V0}/a",
    f"/ipfs/{V0}/1": f"ipfs://{V0}/1",
    f"ipfs/{V0}/1": f"ipfs://{V0}/1",
    V0: f"ipfs://{V0}",
    f"{V0}/folder/1.json": f"ipfs://{V0}/folder/1.json",
    V1: f"ipfs://{V1}",
    V1.upper(): f"ipfs://{V1}",  # multibase B: base32 in upper case
    KEY: f"ipfs://{KEY}",  # base36
    BASE58_V1: f"ipfs://{BASE58_V1}",
    f"ipns://{KEY}/1.json": f"ipns://{KEY}/1.json",
    "ipns://docs.ipfs.tech/a": "ipns://docs.ipfs.tech/a",
    "ipfs://ipns/docs.ipfs.tech/a": "ipns://docs.ipfs.tech/a",
    f"https://cloudflare-ipfs.com/ipfs/{V0}/1.json": f"ipfs://{V0}/1.json",
    f"http://127.0.0.1:8080/ipfs/{V0}": f"ipfs://{V0}",
    f"https://gateway.ipfs.io/ipfs/{V0}?0059_final_edit.mp4": f"ipfs://{V0}?0059_final_edit.mp4",
    f"ipfs://https://ipfs.io/ipfs/{V0}/1": f"ipfs://{V0}/1",
    f"https://{V1}.ipfs.dweb.link/1.json": f"ipfs://{V1}/1.json",
    "https://en-wikipedia--on--ipfs-org.ipns.dweb.link/wiki/": "ipns://en.wikipedia-on-ipfs.org/wiki/",
    f"ipfs://{V0}/gm%20gm%20feelin%20blue%204k.png": f"ipfs://{V0}/gm%20gm%20feelin%20blue%204k.png",
    f"ipfs://{V0}/gm gm.png": f"ipfs://{V0}/gm%20gm.png",
    f"ipfs://{V0}/猿.png": f"ipfs://{V0}/%E7%8C%BF.png",
    f"ipfs://{V0}/100%.png": f"ipfs://{V0}/100%25.png",
    f"ipfs://{V0}/Ape #7.png": f"ipfs://{V0}/Ape%20%237.png",  # no fragment: a name with an extension
    f"ipfs://{V0}/view.html#0x12": f"ipfs://{V0}/view.html#0x12",
    f"ipfs://{V0}//1.json": f"ipfs://{V0}/1.json",  # a base URI with a slash and a name with one
    f"ipfs://{V0}/a/../b/./1": f"ipfs://{V0}/b/1",
    f"ipfs://{V0}/a/%2e%2e/b": f"ipfs://{V0}/b",
    f"ipfs://{V0}/folder/": f"ipfs://{V0}/folder/",
    f"ar://{TRANSACTION}": f"ar://{TRANSACTION}",
    f"AR://{TRANSACTION}/1.json": f"ar://{TRANSACTION}/1.json",
    f"https://arweave.net/{TRANSACTION}/1.json?ext=png": f"ar://{TRANSACTION}/1.json?ext=png",
    f"https://{SANDBOX}.arweave.net/{TRANSACTION}": f"ar://{TRANSACTION}",
    "https://arweave.net/graphql": "https://arweave.net/graphql",
    " https://Example.COM/a b.png \n": "https://example.com/a%20b.png",
    "https://example.com": "https://example.com/",
    "https://example.com/%20%2F%zz?x=%2F&y=é": "https://example.com/%20%2F%25zz?x=%2F&y=%C3%A9",
    "https://example.com:443/a": "https://example.com/a",
    "http://ＥＸＡＭＰＬＥ。com/": "http://example.com/",
    "http://bücher.example/": "http://xn--bcher-kva.example/",
    "https://example.com/a/../b": "https://example.com/b",
    "https://example.com/ipfs/about.html": "https://example.com/ipfs/about.html",  # no CID: no gateway
    "\ufeffhttps://example.com/1\0\0": "https://example.com/1",  # bytes32 strings are padded
    "https:/example.com/1": "https://example.com/1",
    **dict.fromkeys(
        (
            f'"ipfs://{V0}/1.json"',
            f"'ipfs://{V0}/1.json'",
            f"“ipfs://{V0}/1.json”",
            f"«https://ipfs.io/ipfs/{V0}/1.json»",
            f"`{V0}/1.json`",
            f"<ipfs://{V0}/1.json>",
            f"%22ipfs://{V0}/1.json%22",
            f'\\"ipfs://{V0}/1.json\\"',
            f"\"'ipfs://{V0}/1.json'\" ",
            f"ipfs://ipfs://{V0}/1.json",
            f"ipfs://ipfs://ipfs://{V0}/1.json",
            f"ipfs://ipfs/ipfs://{V0}/1.json",
            f"ipfs://{V1}/ipfs://{V0}/1.json",
            f"ipfs://{V1}ipfs://{V0}/1.json",
            f"https://ipfs.io/ipfs/ipfs://{V0}/1.json",
            f"https://ipfs.io/ipfs/ipfs:/{V0}/1.json",
            f"https://ipfs.io/ipfs/ipfs%3A%2F%2F{V0}%2F1.json",
            f"https://ipfs.io/ipfs/https%3A%2F%2Fipfs.io%2Fipfs%2F{V0}%2F1.json",
            f"https://ipfs.io/ipfs/https://ipfs.io/ipfs/{V0}/1.json",
            f"https://ipfs.io/ipfs/https:/ipfs.io/ipfs/{V0}/1.json",
            f"https://ipfs.io/ipfs/ipfs.io/ipfs/{V0}/1.json",
            f"https://api.example/token/ipfs://{V0}/1.json",
            f"https://api.example/token/https://dweb.link/ipfs/{V0}/1.json",
            f"https://api.examplehttps://{V1}.ipfs.dweb.link/ipfs://{V0}/1.json",
            f"ipfs://gateway.pinata.cloud/ipfs/{V0}/1.json",
            f"ipfs.io/ipfs/{V0}/1.json",
            f"//ipfs.io/ipfs/{V0}/1.json",
            f"ar://https://arweave.net/ipfs://{V0}/1.json",
            f"https://dweb.link/ipfs/ipfs%3a//{V0}/1.json",
            f"https://ipfs.io/ipfs/ipfs:{V0}/1.json",
            f"ipfs:ipfs:{V0}/1.json",
            f"ipfs://https//ipfs.io/ipfs/{V0}/1.json",
            f"ipfs:// {V0}/1.json",
            f"ipfs%3A%2F%2F{V0}%2F1.json",
            f"https%3A%2F%2Fipfs.io%2Fipfs%2F{V0}%2F1.json",
            f"\u200bipfs://{V0}/1.json\u200b\u00a0",
            f"&#34;ipfs://{V0}/1.json&#34;",
            f"&#x27;ipfs://{V0}/1.json&#x27;",
            f"&apos;ipfs://{V0}/1.json&apos;",
            f"&lt;ipfs://{V0}/1.json&gt;",
            f"%5C%22ipfs://{V0}/1.json%5C%22",
            f"%E2%80%9Cipfs://{V0}/1.json%E2%80%9D",
            f"ipfs://'{V0}/1.json'",
            f"ipfs://ipfs://'{V0}/1.json'",
            f'ipfs://"ipfs://{V0}/1.json"',
            f'https://ipfs.io/ipfs/"ipfs://{V0}/1.json"',
            f'"https://ipfs.io/ipfs/"ipfs://{V0}/1.json',
            f'"ipfs://{V0}/1.json',
            f'ipfs://{V0}/1.json"',
            f'"ipfs://{V0}/1.json",',
        ),
        f"ipfs://{V0}/1.json",
    ),
    f"https://arweave.net/https://arweave.net/{TRANSACTION}": f"ar://{TRANSACTION}",
    f"https://arweave.net/ar://{TRANSACTION}/1": f"ar://{TRANSACTION}/1",
    f"arweave.net/{TRANSACTION}/1": f"ar://{TRANSACTION}/1",
    f"ar://arweave.net/{TRANSACTION}/1": f"ar://{TRANSACTION}/1",
    f"ipfs://ar://{TRANSACTION}": f"ar://{TRANSACTION}",
    "data%3Aapplication%2Fjson%3Bbase64%2Ce30%3D": "data:application/json;base64,e30=",
    **{
        url: url
        for url in (
            "https://cors-anywhere.example/https://y.example/1",
            "https://ik.imagekit.io/demo/https://y.example/1.png",
            "https://x.example/resize/https://y.example/1.png",
            "https://x.example/img/200x200/https://y.example/1.png",
            "https://x.example/w_100,h_100/https://y.example/1.png",
            "https://x.example/thumbnail/https://y.example/1.png",
            "https://x.example/fit-in/https://y.example/1.png",
            "https://x.example/star://x",
            "https://x.example/it's",
            f"ipfs://{V0}/it's'",
            "https://x.example/http:80",
        )
    },
    'https://x.example/?q="a"': "https://x.example/?q=%22a%22",
    "https://https://api.example/1": "https://api.example/1",
    "http://https//api.example/1": "http://https//api.example/1",
    "https://base.example/https://real.example/1?x=2": "https://real.example/1?x=2",
    "https://base.example/data:application/json;base64,e30=": "data:application/json;base64,e30=",
    "ipfs://data:application/json,{}": "data:application/json,{}",
    '"data:application/json;base64,e30="': "data:application/json;base64,e30=",
    # An argument, and what a proxy is asked for, belong to the URL.
    "https://x.example/?u=https://y.example/1": "https://x.example/?u=https://y.example/1",
    "https://x.example/a#https://y.example/1": "https://x.example/a#https://y.example/1",
    "https://x.example/https://": "https://x.example/https://",
    "https://res.example/demo/image/fetch/w_200/https://y.example/1.png": (
        "https://res.example/demo/image/fetch/w_200/https://y.example/1.png"
    ),
    "https://web.archive.org/web/2020/https://y.example/": "https://web.archive.org/web/2020/https://y.example/",
    "https://x.example/resize/https%3A%2F%2Fy.example%2F1": "https://x.example/resize/https%3A%2F%2Fy.example%2F1",
    "https://x.example/it's": "https://x.example/it's",
    'data:application/json,{"a": "#1"}': 'data:application/json,{"a": "#1"}',
    " DATA:;base64,e30= ": "DATA:;base64,e30=",
}


@pytest.mark.parametrize("written", STORED)
def test_every_spelling_is_stored_as_one(written: str) -> None:
    """F72, F79: no gateway that may be switched off, and one encoding only."""
    assert canonical(written) == STORED[written]
    assert canonical(STORED[written]) == STORED[written]


@pytest.mark.parametrize(
    "path",
    [
        "/../x",
        "/a/../../x",
        "/%2e%2e/x",
        "/%2E./x",
        "/..%2fx",
        "/a%2f..%2f..%2fx",
        "/%252e%252e/x",  # a proxy before the gateway may decode once more
        "/%25252e%25252e/x",
        "/a%252f..%252f..",
        "/..\\x",
        "/a\\..\\..\\x",
        "/..%5cx",
        "/..;/x",  # servlet containers cut at the semicolon
        "/\uff0e\uff0e/x",  # full-width dots, which Unicode folds
        "/\u2025/x",
        "/..%00/x",
        "/%0d%0aHost:%20x",
        "/..?x=1",
    ],
)
@pytest.mark.parametrize("start", [f"ipfs://{V0}", f"https://ipfs.io/ipfs/{V0}", f"ar://{TRANSACTION}"])
def test_no_path_leaves_its_content(start: str, path: str) -> None:
    """An operator's own gateway may be private: whatever else its host answers must stay out of reach."""
    try:
        stored = canonical(start + path)
    except RefusedUriError:
        return
    # On http hosts dots are resolved first, as browsers do; what then is no gateway's path is guarded by its address.
    assert stored.startswith("https://ipfs.io/")
    assert V0 not in stored


@pytest.mark.parametrize(
    "uri",
    [
        "ipfs://bench/1.png",
        f"ipfs://{V0[:-1]}",  # too short
        f"ipfs://{V0[:-1]}0",  # 0 is no base58 digit
        f"ipfs://{V1[:-1]}",
        "ipfs://bafybeia",
        "ipfs://",
        "/ipfs/",
        "ipns://nodots",
        "ar://short",
        f"ar://{TRANSACTION[:-1]}F",  # more than 256 bits
        "dweb:/x",
        "",
        "  \0",
        "1.json",
        "//example.com/1",
        "https://",
        "https://exa mple.com/",
        "https://example.com:x/",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://[::1/",
        "https://[fe80::1%25eth0]/",
        "https://a..b/",
        "https://1.2.3.4.5/",
        "https://256.1.1.1/",
        "https://evil.example\\@127.0.0.1/",
        "https://a℀b.example/",  # folds to a/c
        "https://" + "a" * 64 + ".example/",
        "https://example.com/\ud800",
        "https://example.com/" + "a" * LONGEST_URI,
        "https://a/" * 100_000,
        '"' * 100_000,
        "https://example.com/" + "é" * 3000,  # three times as long once it is encoded
    ],
)
def test_what_names_nothing_is_told(uri: str) -> None:
    with pytest.raises(BadUriError):
        canonical(uri)


@pytest.mark.parametrize(
    "uri", ["file:///etc/passwd", "javascript:alert(1)", "ftp://a/b", "gopher://a", "blob:x"]
)
def test_other_schemes_are_refused(uri: str) -> None:
    """F82: the allow-list is http, https, ipfs, ipns, ar and data."""
    with pytest.raises(RefusedUriError):
        canonical(uri)


@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join))
def test_the_stored_form_is_its_own_stored_form(text: str) -> None:
    """Nothing but `BadUriError` comes out; nothing is encoded twice; no content has a path that leaves it."""
    try:
        stored = canonical(text)
    except BadUriError:
        return
    assert canonical(stored) == stored
    if stored.startswith(("ipfs:", "ipns:", "ar:")):
        path = stored.partition("?")[0].partition("#")[0].split("/")[3:]
        assert not {"..", "."} & set(path)
    if not stored.lower().startswith("data:"):
        assert stored.isascii()
        assert stored.isprintable()


STEPS = st.sampled_from(
    ["/", "\\", "%2f", "%5C", ".", "..", "%2e", "%252e", "%252F", ";", "a", "%", "25", "\uff0e", " "]
)


@given(st.lists(STEPS, max_size=10).map("".join))
def test_no_server_that_decodes_again_is_led_out(path: str) -> None:
    """Decoded up to three times more, with backslashes as slashes, what is stored stays below its CID."""
    try:
        stored = canonical(f"ipfs://{V0}/{path}").removeprefix("ipfs:/")
    except RefusedUriError:
        return
    for _ in range(4):
        for read in (stored, stored.replace("\\", "/")):
            assert f"{posixpath.normpath(read)}/".startswith(f"/{V0}/")
        stored = unquote(stored)


@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join))
def test_whatever_is_stored_can_be_shown(text: str) -> None:
    assert isinstance(public_url(text, "https://ipfs.io", "https://arweave.net"), str)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (f"ipfs://{V0}/a%20b.png?x#y", f"https://ipfs.example/ipfs/{V0}/a%20b.png?x#y"),
        ("ipns://docs.ipfs.tech/", "https://ipfs.example/ipns/docs.ipfs.tech/"),
        (f"ar://{TRANSACTION}/1", f"https://ar.example/{TRANSACTION}/1"),
        (f"https://cloudflare-ipfs.com/ipfs/{V0}/1", f"https://ipfs.example/ipfs/{V0}/1"),  # F79
        (f"ipfs://ipfs/{V0}", f"https://ipfs.example/ipfs/{V0}"),  # loaded as it was
        ("https://example.com/a b.png?x=%2F&y=é", "https://example.com/a b.png?x=%2F&y=é"),
        ("ipfs://bench/1.png", "ipfs://bench/1.png"),  # no CID
        (f"ipfs://{V0}/../x", f"ipfs://{V0}/../x"),
        (f"ipfs://{V0}/?\ud800", f"ipfs://{V0}/?\ud800"),  # a page must not fail for it
        ("data:,x", "data:,x"),
        ("", ""),
    ],
)
def test_gateways_are_applied_when_answering(stored: str, shown: str) -> None:
    assert public_url(stored, "https://ipfs.example", "https://ar.example") == shown


def test_without_a_public_gateway_content_is_shown_as_it_is_stored() -> None:
    for uri in (f"ipfs://{V0}/1", f"ar://{TRANSACTION}", f"https://cloudflare-ipfs.com/ipfs/{V0}/1"):
        assert public_url(uri, "", "") == uri


@pytest.mark.parametrize(
    ("template", "token_id", "uri"),
    [
        ("https://a/{id}.json", 1, f"https://a/{1:064x}.json"),
        ("https://a/0x{id}", 0xABC, f"https://a/0x{0xABC:064x}"),
        ("https://a/{id}/{id}?x={id}", 2**256 - 1, "https://a/{0}/{0}?x={0}".format("f" * 64)),
        ("https://a/%7Bid%7D/%7bid%7d", 10, f"https://a/{10:064x}/{10:064x}"),
        # F27: above 2^53 a float would give another id.
        ("{id}", 9007199254740993, "0" * 50 + "20000000000001"),
        ("https://a/{ID}/{id2}/{}", 1, "https://a/{ID}/{id2}/{}"),
    ],
)
def test_ids_are_put_in_at_every_occurrence(template: str, token_id: int, uri: str) -> None:
    """F76: ERC-1155, 64 lower-case hexadecimal digits without a prefix of their own."""
    assert with_token_id(template, token_id) == uri
