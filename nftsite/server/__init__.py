"""What stands between gunicorn and the application: sockets, deadlines, and refusals of what is no request."""
