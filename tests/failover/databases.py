"""PostgreSQL on three hosts, which Patroni and etcd keep: one leads, one confirms each commit, one follows."""

from __future__ import annotations

import json
import signal
import subprocess
from contextlib import suppress
from typing import Any

from tests.failover.hosts import Host, until
from tests.postgres import find_binaries

PROGRAMS = ("ip", "setpriv", "etcd", "patroni", "haproxy", "pgbouncer", "curl")
DATABASE = ("postgres:", "bin/postgres", "patroni")
TTL = 20
# By version 2 of etcd's API: over version 3, Patroni 3.0.2 writes the lock without asking whose it is. A leader that
# was paused takes it, when it goes on, from the one that leads by then, whose commits may be lost.
PATRONI = """
scope: nft
name: {name}
restapi: {{listen: "0.0.0.0:8008", connect_address: "{address}:8008"}}
etcd: {{hosts: [{etcds}]}}
bootstrap:
  dcs:
    ttl: {ttl}
    loop_wait: 3
    retry_timeout: 5
    synchronous_mode: true
    maximum_lag_on_failover: 1048576
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 60
        shared_buffers: 128MB
        wal_log_hints: "on"
        hot_standby: "on"
        wal_keep_size: 512MB
        max_standby_streaming_delay: 5s
        wal_receiver_timeout: 5s
        wal_sender_timeout: 5s
  initdb: [encoding: UTF8, locale: C]
  pg_hba: [host all all 0.0.0.0/0 trust, host replication all 0.0.0.0/0 trust, local all all trust]
postgresql:
  listen: "0.0.0.0:5432"
  connect_address: "{address}:5432"
  data_dir: {folder}/data
  bin_dir: {programs}
  pgpass: {folder}/pgpass
  authentication:
    superuser: {{username: postgres}}
    replication: {{username: replicator}}
    rewind: {{username: postgres}}
  parameters: {{unix_socket_directories: "{folder}"}}
"""
HAPROXY = """
global
  maxconn 400
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen leader
  bind 127.0.0.1:5000
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""
PGBOUNCER = """
[databases]
nft = host=127.0.0.1 port=5000 dbname=nft
{replicas}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = 6432
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 8
max_client_conn = 300
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 10
tcp_user_timeout = 5000
tcp_keepidle = 3
tcp_keepintvl = 1
tcp_keepcnt = 3
server_check_delay = 5
"""


class Databases:
    """The three hosts."""

    def __init__(self, three: list[Host]) -> None:
        self.hosts = {host.name: host for host in three}

    def start(self) -> None:
        """Start all; return when one leads and two follow."""
        peers = ",".join(f"{one.name}=http://{one.address}:2380" for one in self.hosts.values())
        for one in self.hosts.values():
            urls = f"http://{one.address}"
            one.start(
                "etcd",
                *("etcd", "--name", one.name, "--data-dir", f"{one.folder}/etcd"),
                *("--listen-client-urls", f"{urls}:2379", "--advertise-client-urls", f"{urls}:2379"),
                *("--listen-peer-urls", f"{urls}:2380", "--initial-advertise-peer-urls", f"{urls}:2380"),
                *("--initial-cluster", peers, "--heartbeat-interval", "300", "--election-timeout", "3000"),
                "--enable-v2=true",
            )
            etcds = ", ".join(f'"{other.address}:2379"' for other in self.hosts.values())
            given = {"name": one.name, "address": one.address, "folder": one.folder, "etcds": etcds}
            text = PATRONI.format(**given, ttl=TTL, programs=find_binaries())
            (one.folder / "patroni.yml").write_text(text)
            self.start_patroni(one)
        until(self.is_whole, 180, "one leads, two follow")

    def start_patroni(self, host: Host) -> None:
        """Start Patroni on a host, which starts PostgreSQL."""
        host.start("patroni", "patroni", f"{host.folder}/patroni.yml")

    def members(self, but: str = "") -> list[dict[str, Any]]:
        """What the newest leader says of all, or any host that answers where there is none; not the one called ``but``.

        Who comes back from being cut off or paused tells what it knew before.
        """
        views: list[tuple[int, list[dict[str, Any]]]] = []
        for host in self.hosts.values():
            if host.name == but:
                continue
            with suppress(RuntimeError, ValueError):
                told = host.run("curl", "-sf", "-m", "3", f"http://{host.address}:8008/cluster")
                members = json.loads(told)["members"]
                own = [one for one in members if one["name"] == host.name and one["role"] == "leader"]
                views.append(
                    (max((one.get("timeline", 0) for one in own), default=-1 if members else -2), members)
                )
        return max(views, key=lambda view: view[0], default=(0, []))[1]

    def leader(self, but: str = "") -> str:
        """The name of the one that leads; empty where none does."""
        led = [
            one["name"] for one in self.members(but) if one["role"] == "leader" and one["state"] == "running"
        ]
        return led[0] if led and led[0] != but else ""

    def is_whole(self) -> bool:
        """Tell whether one leads and two follow it closely, one of which confirms each commit."""
        members = self.members()
        roles = sorted(one["role"] for one in members if one["state"] in ("running", "streaming"))
        lags = [one.get("lag", 0) for one in members]
        close = all(isinstance(lag, int) and lag < 1_000_000 for lag in lags)
        close = close and len({one.get("timeline") for one in members}) == 1
        if roles != ["leader", "replica", "sync_standby"] or not close:
            return False
        streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        with suppress(RuntimeError, KeyError):
            return self.query(streaming, "postgres") == [["2"]]
        return False

    def query(self, statement: str, database: str = "nft") -> list[list[str]]:
        """Execute a statement on the leader; return its rows as text."""
        host = self.hosts[self.leader()]
        words = (
            "psql",
            "-h",
            str(host.folder),
            "-U",
            "postgres",
            "-d",
            database,
            "-XAtq",
            "-F",
            "|",
            "-c",
            statement,
        )
        return [line.split("|") for line in host.run(*words).splitlines()]

    def kill(self, name: str) -> None:
        """End PostgreSQL and Patroni of a host as if it had lost power; etcd stays."""
        self.hosts[name].send(signal.SIGKILL, *DATABASE)

    def fail(self, kind: str) -> str:
        """Have the leader go away in a way; return who leads then. The old one comes back."""
        old = self.leader()
        host = self.hosts[old]
        if kind == "kill":
            self.kill(old)
        elif kind == "partition":
            host.plug(is_in=False)
        elif kind == "pause":
            host.send(signal.SIGSTOP, *DATABASE)
        else:
            asked = json.dumps({"leader": old})
            address = f"http://{host.address}:8008/switchover"
            host.run("curl", "-sf", "-m", "60", "-X", "POST", "-d", asked, address)
        until(lambda: self.leader(but=old), 120, f"another than {old} leads")
        new = self.leader(but=old)
        if kind == "kill":
            self.start_patroni(host)
        elif kind == "partition":
            host.plug(is_in=True)
        elif kind == "pause":
            host.send(signal.SIGCONT, *DATABASE)
        return new


def before(host: Host, databases: Databases) -> None:
    """Start, on a host of the service, HAProxy before who leads, and PgBouncer before that and each of the three."""
    three = list(databases.hosts.values())
    servers = "\n".join(f"  server {one.name} {one.address}:5432 check port 8008" for one in three)
    (host.folder / "haproxy.cfg").write_text(HAPROXY.format(servers=servers))
    host.start("haproxy", "haproxy", "-db", "-f", f"{host.folder}/haproxy.cfg")
    replicas = "\n".join(f"nft_{one.name} = host={one.address} port=5432 dbname=nft" for one in three)
    (host.folder / "pgbouncer.ini").write_text(PGBOUNCER.format(replicas=replicas, folder=host.folder))
    (host.folder / "users").write_text('"web" ""\n"postgres" ""\n')
    host.start("pgbouncer", "pgbouncer", f"{host.folder}/pgbouncer.ini")


def missing() -> list[str]:
    """The programs that the drill needs and this machine lacks."""
    return [
        one for one in PROGRAMS if subprocess.run(["which", one], capture_output=True, check=False).returncode
    ]
