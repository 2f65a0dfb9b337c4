"""What all pages of the admin have in common: tables, lists, actions, logins.

Which tables there are is registered by each app's `admin`.
"""
