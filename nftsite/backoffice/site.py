"""The operators' site: its wording. What it shows is registered by each app's `admin`."""

from django.contrib.admin import AdminSite


class BackofficeSite(AdminSite):
    """Django's admin site under this service's name."""

    site_header = "NFT query service: operations"
    site_title = "NFT operations"
    index_title = "What is stored, and what operators decide about it"
    site_url = "/"
    enable_nav_sidebar = True
