"""Address of Transfers by Token, below the API's base."""

from django.urls import path

from transfers.viewsets import TransfersByToken

urlpatterns = [path("transfers/by-token", TransfersByToken.as_view(), name="transfers-by-token")]
