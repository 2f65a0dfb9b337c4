"""Measures the service: worlds made up by SQL, pages, loads and images, and a report."""
