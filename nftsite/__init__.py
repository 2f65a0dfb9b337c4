"""The site, which knows all rooms: settings, addresses, home, health, metrics.

`sample` is what it starts with, `bench` measures it, `server` is the worker that gunicorn runs.
"""
