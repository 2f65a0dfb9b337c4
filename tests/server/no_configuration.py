"""Gunicorn's configuration where the options of the command line are all there is."""
