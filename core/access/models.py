"""Keys that clients send, and by which they are counted."""

from __future__ import annotations

from django.db import models


class ApiKey(models.Model):
    """What is known of a key: never the key itself.

    It is 256 random bits, which nobody guesses from their SHA-256. A slow hash is for what people make up.
    """

    name = models.CharField(max_length=100, help_text="Whose it is, and what for.")
    prefix = models.CharField("begins with", max_length=16, editable=False)
    digest = models.CharField("SHA-256", max_length=64, unique=True, editable=False)
    quota = models.CharField(
        "own limit",
        max_length=24,
        blank=True,
        help_text="Such as 6000/minute; it holds also where RATE_LIMIT is not set. Blank: RATE_LIMIT.",
    )
    created_at = models.DateTimeField("created", auto_now_add=True)
    expires_at = models.DateTimeField(
        "expires", null=True, blank=True, help_text="UTC; from then on it is refused. Blank: never."
    )
    revoked_at = models.DateTimeField("revoked", null=True, editable=False)
    last_used_at = models.DateTimeField("last used", null=True, editable=False)

    class Meta:
        verbose_name = "API key"

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
