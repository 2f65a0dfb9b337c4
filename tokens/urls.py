"""Address of NFTs by Token, below the API's base."""

from django.urls import path

from tokens.viewsets import NftsByToken

urlpatterns = [path("nfts/by-token", NftsByToken.as_view(), name="nfts-by-token")]
