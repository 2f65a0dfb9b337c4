"""Addresses of the admin and of other pages: every pattern of the URL configuration, and what is filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from tests.addresses.sending import Sent
from tests.addresses.values import HOSTILE, RAW, altered, sent, value_of

GAP = "\x00"
OPERATIONS = "by-token"
PLAIN = ["q", "p", "o", "e", "all", "show", "pk", "id", "_facets", "_popup", "_to_field", "next"]
PLAIN += ["_changelist_filters", "_preserved_filters"]
LOOKUPS = [
    *(
        "exact",
        "iexact",
        "contains",
        "icontains",
        "in",
        "gt",
        "gte",
        "lt",
        "lte",
        "range",
        "isnull",
        "regex",
        "iregex",
    ),
    *(
        "startswith",
        "istartswith",
        "endswith",
        "iendswith",
        "year",
        "month",
        "day",
        "week",
        "week_day",
        "quarter",
    ),
    *("date", "time", "hour", "isoyear", "id", "pk", "id__in", "pk__isnull", "nonsense"),
]
FILTERS = [
    "is_staff__exact",
    "is_superuser__exact",
    "is_active__exact",
    "groups__id__exact",
    "groups__isnull",
]
"""Of Django's own tables; ours declare their lists (`show`) and narrowings (`links`)."""
POSTED = [
    "action",
    "_selected_action",
    "index",
    "select_across",
    "confirmed",
    "reason",
    "post",
    "_save",
    "_saveasnew",
]


def gapped() -> list[str]:
    """Every address that the service has but those of its operations, with :data:`GAP` where something is filled in."""
    found = sorted(set(_walk("/", get_resolver().url_patterns)))
    return [address for address in found if OPERATIONS not in address]


def _walk(head: str, patterns: list[Any]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one.pattern, RoutePattern):
            text = re.sub(r"<[^>]*>", GAP, str(one.pattern))
        else:
            text = re.sub(r"\(\?P<\w+>(?:[^()]|\([^()]*\))*\)", GAP, str(one.pattern))
            text = re.sub(r"[\^$+]", "", text)
        if isinstance(one, URLResolver):
            yield from _walk(head + text, one.url_patterns)
        elif isinstance(one, URLPattern):
            yield head + text


def admin_requests(seed: int, count: int) -> Iterator[Sent]:
    """Requests of an operator: the `count` are the same for a seed and a database. Some write, as forms do."""
    addresses = gapped()
    models = {f"/{model._meta.app_label}/{model._meta.model_name}/": model for model in admin.site._registry}
    known = {head: _known(model) for head, model in models.items()}
    for number in range(count):
        random = Random(f"{seed} admin {number}")
        address = addresses[number % len(addresses)]
        head = next((head for head in models if head in address), None)
        values = known.get(head or "", ["1", "tokens", "nft"])
        names = PLAIN if head is None else [*PLAIN, *_parameters(models[head])]
        yield _request(random, address, names, values)


def _request(random: Random, address: str, names: list[str], values: list[str]) -> Sent:
    method = random.choice(["GET"] * 12 + ["HEAD", "POST", "POST", "OPTIONS", "DELETE"])
    path = "".join(part if part != GAP else _filled(random, values) for part in re.split(f"({GAP})", address))
    body = ""
    if method == "POST" and "logout" not in address:
        body = _pairs(random, [*names, *POSTED], values, 6)
    accept = random.choice(["text/html", "text/html", "", "*/*", "application/json"])
    return Sent(path, _pairs(random, names, values, random.choice([0, 1, 1, 1, 3])), method, accept, body)


def _filled(random: Random, values: list[str]) -> str:
    if random.randrange(3) == 0:  # what is really there, so that what comes after it is reached
        return sent(random, random.choice(values))
    return random.choice(
        [value_of(random, values), f"_{random.randrange(256):02X}", "1_2F" + random.choice(RAW)]
    )


def _pairs(random: Random, names: list[str], values: list[str], most: int) -> str:
    pairs = []
    for _ in range(random.randint(min(most, 1), most)):
        name = (
            random.choice(names)
            if random.randrange(10)
            else random.choice([*HOSTILE, altered(random, "show")])
        )
        value = value_of(random, [*values, *names])
        pairs.append(f"{sent(random, name)}={value}" if random.randrange(30) else sent(random, name))
        if random.randrange(10) == 0:
            pairs.append(pairs[-1])
    return random.choice(["&"] * 12 + ["&&", ";"]).join(pairs)


def _parameters(model: type[Model]) -> list[str]:
    table: Any = admin.site._registry[model]
    fields = [field.name for field in model._meta.get_fields()]
    declared = [
        "show",
        "q",
        "q",
        *getattr(table, "links", {}),
    ] * 12  # few, and each of them reaches the database
    return [
        *declared,
        *PLAIN * 2,
        *fields,
        *FILTERS,
        *(f"{name}__{lookup}" for name in fields for lookup in LOOKUPS),
    ]


def _known(model: type[Model]) -> list[str]:
    """Keys and texts of the first rows, the table's lists and its actions."""
    table: Any = admin.site._registry[model]
    rows = model._default_manager.order_by("pk")[:3]
    texts = [str(getattr(row, name.attname)) for row in rows for name in model._meta.concrete_fields]
    actions = [name for _, name, _ in table._get_base_actions()]
    return [
        *(str(row.pk) for row in rows for _ in range(9)),
        *texts,
        *getattr(table, "lists", {}),
        *actions,
        "1",
        "2",
    ]
