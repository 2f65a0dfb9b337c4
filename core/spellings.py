"""How the names of chains and currencies may be spelt: one rule for lines and for what operators enter."""

from __future__ import annotations

import re

CHAIN = re.compile(r"[a-z][a-z0-9._-]{0,39}", re.ASCII)
"""A chain's identifier, in lower case; it begins with a letter, since numbers name chains by their EIP-155 ids."""

SYMBOL = re.compile(r'[^\s,"\x00-\x1f\x7f\ud800-\udfff]{1,40}')
"""A currency's symbol: nothing that would end it in a query string or an order book's entry."""
