"""ENS names."""

from __future__ import annotations

from django.db import models

from core.db.fields import KeyField


class EnsName(models.Model):
    """An ENS name in its normal form (ENSIP-15) and the address it stands for; none: it resolves to nothing."""

    name = KeyField(max_length=255, unique=True)
    address = KeyField(max_length=64, null=True, blank=True)

    class Meta:
        verbose_name = "ENS name"

    def __str__(self) -> str:
        return str(self.name)
