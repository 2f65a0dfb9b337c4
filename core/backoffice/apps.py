"""Django's admin with our site in place of the default one."""

from django.contrib.admin.apps import AdminConfig


class BackofficeConfig(AdminConfig):
    """Named in INSTALLED_APPS instead of `django.contrib.admin`."""

    verbose_name = "History"
    default_site = "core.backoffice.site.BackofficeSite"
