"""What all methods do over HTTP: one query in, one answer in their shape out, read from one snapshot.

The key in the path may be one of ours, by which its client is counted (:class:`PathKeyAuthentication`).
"""

from __future__ import annotations

import json
import time
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from compat.chains import AskedChain, chain_of
from compat.contracts import ContractRow
from compat.filters import Asked, MethodFilterSet
from compat.nfts import moment
from compat.openapi import MethodSchema
from core.access.authentication import KeyAuthentication
from core.access.keys import MARK
from core.access.throttling import AllowanceThrottle
from core.db.reading import one_cursor
from core.rest.facts import Cost, costs, current
from core.rest.filters import QueryFilterBackend
from core.rest.freshness import Reach, Subject, headers_of, reach_of
from core.rest.records import Record
from core.rest.rendering import PageRenderer
from core.rest.servers import of_one_server
from indexing.models import Block
from media.links import Links
from tokens.models import Nft

MAX_BODY = 256 * 1024
"""Bytes of a request's body: ten times what a hundred tokens take."""


class Answer(NamedTuple):
    """What a method tells, what of the data it concerns, and when something in it changes (Unix seconds)."""

    body: Any
    contract: str | None = None
    first_end: int | None = None


class PathKeyAuthentication(KeyAuthentication):
    """Takes the key in the path for one of ours too, where it looks like one or the service requires one.

    Clients have to put something there: whatever else it is, it is nobody's.
    """

    def token(self, request: Request) -> str:
        """Return the key of the headers, else of the path."""
        in_path: str = request.parser_context["kwargs"].get("apiKey", "")
        is_one = in_path.startswith(MARK) or settings.API_KEYS == "required"
        return super().token(request) or (in_path if is_one else "")


class Method(GenericAPIView[Any]):
    """Base of the methods. ``filterset_class`` says what one takes, ``serializer_class`` declares what it answers.

    ``cost`` is the class of what it takes at most.
    """

    authentication_classes = [PathKeyAuthentication]
    throttle_classes = [AllowanceThrottle]
    cost = Cost.CHEAP
    http_method_names = ["get", "head", "options"]
    renderer_classes = [PageRenderer]
    filter_backends = [QueryFilterBackend]
    filterset_class: type[MethodFilterSet]
    schema = MethodSchema()
    method: str
    chain: AskedChain
    now: int

    def get_queryset(self) -> Any:
        """Return the query that asks nothing yet."""
        return Asked()

    @abstractmethod
    def answer(self, asked: Any) -> Answer:
        """Answer a query of :attr:`chain` at :attr:`now`."""

    def get(self, request: Request, *, chain: str, **_: str) -> Response:
        return self.respond(chain, lambda: self.filter_queryset(self.get_queryset()))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Have the request counted under the method's name."""
        current().operation = self.method
        super().initial(request, *args, **kwargs)
        costs(self.cost)

    @of_one_server
    def respond(self, chain: str, read: Any) -> Response:
        """Answer what ``read`` returns. All of it reads one snapshot of the database, at one moment."""
        self.now = int(time.time())
        self.chain = chain_of(chain)
        asked = read()  # which may let the snapshot go, to look up a name
        with one_cursor():
            answer = self.answer(asked)
            reach = reach_of(Subject(self.chain.slug, answer.contract))
            if isinstance(answer.body, dict) and "validAt" in answer.body:
                answer.body["validAt"] = self.valid_at(reach)
        response = Response(answer.body)
        for name, value in headers_of(reach).items():
            response[name] = value
        if answer.first_end is not None:
            # Read by the middleware that writes Cache-Control.
            response.max_age_limit = answer.first_end - self.now  # type: ignore[attr-defined]
        return response

    @property
    def links(self) -> Links:
        """Where clients reach cached images."""
        return Links.of_request(self.request)

    def valid_at(self, reach: Reach) -> Record:
        """Return up to which block the data reaches; nulls where the chain is not indexed from a node."""
        blocks = Block.objects.filter(chain_id=self.chain.id).values_list("hash", flat=True)
        return {
            "blockNumber": reach.block,
            "blockHash": None if reach.block is None else blocks.filter(number=reach.block).first(),
            "blockTimestamp": moment(reach.at),
        }


class TokenMethod(Method):
    """Base of the methods that concern one token."""

    def nft_id(self, asked: Asked, contract: ContractRow | None) -> int | None:
        """Return the id of the token asked for, if it is known."""
        if contract is None:
            return None
        found = Nft.objects.filter(contract_id=contract.id, token_key=asked.token).values_list("id").first()
        return found[0] if found else None


class BodyTooLarge(APIException):
    """413 for a body that no good request has."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = f"The body is longer than {MAX_BODY:,} bytes."
    default_code = "content_too_large"


class BodyParser(BaseParser):
    """JSON of a bounded length, whatever type it is said to be: not every client says so."""

    media_type = "*/*"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value. Raises 400 for what is no JSON, 413 for what is too long."""
        body = stream.read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise BodyTooLarge
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise ParseError("The body is no JSON.") from None


class BatchMethod(Method):
    """Base of the methods that take a body. ``body_class`` declares it."""

    http_method_names = ["post", "options"]
    cost = Cost.MODERATE
    parser_classes = [BodyParser]
    filter_backends: list[Any] = []
    body_class: type[Serializer[Any]]

    def post(self, request: Request, *, chain: str, **_: str) -> Response:
        return self.respond(chain, self._read)

    def _read(self) -> Any:
        body = self.body_class(data=self.request.data)
        body.is_valid(raise_exception=True)
        return body.validated_data
