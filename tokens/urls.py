"""Address of NFTs by Token, below the API's base."""

from django.urls import path

from tokens.viewsets import NftViewSet

nfts_by_token = NftViewSet.as_view({"get": "list"}, name="NFTs by Token")
urlpatterns = [path("nfts/by-token", nfts_by_token, name="nfts-by-token")]
