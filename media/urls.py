"""Addresses of this app: the cached files."""

from django.urls import path

from media.serving import FileView

urlpatterns = [path("<path:name>", FileView.as_view(), name="file")]
