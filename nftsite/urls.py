"""Addresses of the service: two operations, their description, cached images, health, and the operators' pages."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from compat.openapi import MethodGenerator
from compat.urls import methods
from nftsite import views
from nftsite.browse import views as pages

handler400 = "nftsite.failures.refused"
handler404 = "nftsite.failures.not_found"
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
_pages = "|".join(prefix.removeprefix("/") for prefix in settings.PAGE_PREFIXES)
urlpatterns: list[URLPattern | URLResolver] = [
    path("", pages.start, name="home"),
    path("collections/<str:chain>/<str:address>", pages.show_collection, name="collection"),
    path("collections/<str:chain>/<str:address>/sales", pages.show_sales, name="collection-sales"),
    path("collections/<str:chain>/<str:address>/marked", pages.show_marked, name="collection-marked"),
    path("nfts/<str:chain>/<str:contract>/<str:token>", pages.show_nft, name="nft"),
    path(
        "transfers/<str:chain>/<str:transaction>/<int:log>/<int:batch>", pages.show_transfer, name="transfer"
    ),
    *operations,
    path("api/v1/schema", views.SchemaView.as_view(patterns=operations), name="schema"),
    path("api/v1/docs", views.DocumentationView.as_view(url_name="schema"), name="docs"),
    path("api/v1/docs/walk", views.walk_everything, name="docs-walk"),
    path("api/v1/docs/errors", views.every_error, name="docs-errors"),
    *(alchemy if settings.ALCHEMY_API else []),
    path(settings.MEDIA_URL.removeprefix("/"), include("media.urls")),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path(".well-known/security.txt", views.security_txt, name="security"),
    path("metrics", views.metrics, name="metrics"),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    re_path(rf"^(?P<path>(?:api/v1/|{_pages}).*[^/])/+$", views.without_slash),
]
