"""Ids of content on IPFS and Arweave, and pieces that make up URIs, good ones and bad."""

from __future__ import annotations

from hypothesis import strategies as st

V0 = "QmNf1UsmdGaMbpatQ6toXSkzDpizaGmC9zfunCyoz1enD5"
V1 = "bafybeihbarwrmsai2grajb6az7n6aokbxrtl6dq4lqmcrbmq62poa3smla"
TRANSACTION = "k0X-Nn3M1TM7vl3rX3xFWkGIvSXyEB5bvKxTCfAzpUE"
PIECES = st.sampled_from(
    [
        *("/?#%:@[]\\.;{} "),
        *(
            "..",
            "%2e",
            "%25",
            "%2f",
            "ipfs",
            "ipns",
            "://",
            "http",
            "https://",
            "ar://",
            "data:",
            "xn--",
            ".ipfs.",
        ),
        *(V0, V1, TRANSACTION, "a.example", "127.0.0.1", "é", "\uff0e", "\0", "\ud800"),
    ]
)
