"""Who may ask how much: limits by address or by API key, and the keys themselves.

How a query's cost becomes known is `core.rest.facts`; logins of operators are limited by `core.backoffice.logins`.
"""
