"""Addresses of the service: two operations, their description, cached images, health, and the operators' pages."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView

from nftsite import views

handler500 = "nftsite.failures.failed"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("api/v1/", include("tokens.urls")),
    path("api/v1/", include("transfers.urls")),
    path("api/v1/schema", views.SchemaView.as_view(), name="schema"),
    path("api/v1/docs", views.DocumentationView.as_view(url_name="schema"), name="docs"),
    path("api/v1/docs/walk", views.walk_everything, name="docs-walk"),
    path("api/v1/docs/errors", views.every_error, name="docs-errors"),
    path(settings.MEDIA_URL.removeprefix("/"), include("media.urls")),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    re_path(r"^(?P<path>api/v1/.*[^/])/+$", views.without_slash),
]
