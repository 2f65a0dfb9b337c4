"""Addresses of the service: two operations, their description, cached images, health, and the operators' pages."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from compat.openapi import MethodGenerator
from compat.urls import methods
from nftsite import views

handler500 = "nftsite.failures.failed"
operations: list[URLPattern | URLResolver] = [
    path("api/v1/", include("tokens.urls")),
    path("api/v1/", include("transfers.urls")),
]
alchemy: list[URLPattern | URLResolver] = [
    *methods,
    path(
        "alchemy/schema",
        views.SchemaView.as_view(patterns=methods, generator_class=MethodGenerator),
        name="alchemy",
    ),
    path("alchemy/docs", SpectacularSwaggerSplitView.as_view(url_name="alchemy"), name="alchemy-docs"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    *operations,
    path("api/v1/schema", views.SchemaView.as_view(patterns=operations), name="schema"),
    path("api/v1/docs", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    *(alchemy if settings.ALCHEMY_API else []),
    path(settings.MEDIA_URL.removeprefix("/"), include("media.urls")),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    re_path(r"^(?P<path>api/v1/.*[^/])/+$", views.without_slash),
]
