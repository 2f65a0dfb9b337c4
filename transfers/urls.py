"""Address of Transfers by Token, below the API's base."""

from django.urls import path

from transfers.viewsets import TransferViewSet

transfers_by_token = TransferViewSet.as_view({"get": "list"}, name="Transfers by Token")
urlpatterns = [path("transfers/by-token", transfers_by_token, name="transfers-by-token")]
