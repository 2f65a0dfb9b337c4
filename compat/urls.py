"""Addresses of the methods: `/alchemy/{chain}/nft/v3/{apiKey}/{method}`."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from compat.methods import METHODS

BASE = "alchemy/<str:chain>/nft/v3/<str:apiKey>"
methods: list[URLPattern | URLResolver] = [
    path(f"{BASE}/{method.method}", method.as_view(), name=f"alchemy-{method.method}") for method in METHODS
]
