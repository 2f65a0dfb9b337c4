"""Ends with 0 when the web process of this container, or machine, answers at the first place that BIND names."""

import http.client
import os
import socket
import sys

WAIT_SECONDS = 4.0


def main() -> int:
    """Ask for `/healthz`."""
    place = os.environ.get("BIND", "127.0.0.1:8000").partition(",")[0].strip()
    connection = http.client.HTTPConnection("127.0.0.1", timeout=WAIT_SECONDS)
    try:
        if place.startswith("unix:"):
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.settimeout(WAIT_SECONDS)
            connection.sock.connect(place.removeprefix("unix:"))
        else:
            host, _, port = place.rpartition(":")
            local = {"0.0.0.0": "127.0.0.1", "[::]": "::1"}  # noqa: S104 - where it listens, not we
            connection.sock = socket.create_connection(
                (local.get(host, host.strip("[]")), int(port)), WAIT_SECONDS
            )
        connection.request("GET", "/healthz")
        return int(connection.getresponse().status != http.client.OK)
    except (OSError, http.client.HTTPException) as fault:
        sys.stderr.write(f"{place}: {fault}\n")
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
