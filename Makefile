# Needs python3 (3.11 or newer) with venv, make, and PyPI. Everything is installed into .venv and written under var/.
SHELL := /bin/sh
PYTHON ?= python3
PORT ?= 8000
# As many as there are processors: one more would fill what tests wait, and take more than that of the processors' caches.
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
NFTS ?= 20000
BUFFERS ?= 1GB
DRILLS := trouble strangers addresses drawings recording books orders failover partitions deploying containers restore soak lighthouse
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONUNBUFFERED := 1
# Kept on this machine even where it is set otherwise: each of the processes that tests start would compile all anew.
export PYTHONDONTWRITEBYTECODE :=

# What is installed is remembered by the requirements' checksum, so that a changed file installs again by itself.
RUNTIME := $(VENV)/.runtime-$(shell cat requirements.txt | cksum | tr ' ' '-')
DEVELOPMENT := $(VENV)/.development-$(shell cat requirements.txt requirements-dev.txt | cksum | tr ' ' '-')

# PostgreSQL's settings where its speed is measured.
TUNED = TEST_POSTGRES_OPTIONS="shared_buffers=$(BUFFERS) max_wal_size=16GB random_page_cost=1.1"
TUNED_strangers = $(TUNED)
TUNED_books = $(TUNED)
TUNED_partitions = $(TUNED)

.DEFAULT_GOAL := help
.PHONY: help setup tools run test quick check bench drill pictures

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile

setup: $(RUNTIME) ## Create .venv and install what the service needs

tools: $(DEVELOPMENT) ## Also install what tests and checks need

run: $(RUNTIME) ## Set up if needed, migrate, load the sample if there is nothing, serve on http://127.0.0.1:$PORT (8000)
	@echo "Preparing the database…"
	@$(BIN)/python manage.py load_sample --migrate --if-empty --if-default
	@echo "Start here          http://127.0.0.1:$(PORT)/"
	@echo "NFTs by Token       http://127.0.0.1:$(PORT)/api/v1/nfts/by-token"
	@echo "Transfers by Token  http://127.0.0.1:$(PORT)/api/v1/transfers/by-token"
	@echo "Documentation       http://127.0.0.1:$(PORT)/api/v1/docs"
	@echo "Admin               http://127.0.0.1:$(PORT)/admin/ (first: $(BIN)/python manage.py createsuperuser)"
	@echo "Ctrl-C stops the service."
	@nice $(BIN)/python manage.py load_sample --images --if-default & \
	PORT=$(PORT) LOG_FORMAT=$${LOG_FORMAT:-text} exec $(BIN)/gunicorn

test: $(DEVELOPMENT) ## Run the whole suite on SQLite, then on PostgreSQL (fetched when this machine has none)
	TEST_DATABASE_URL= $(BIN)/python -m pytest -n $(JOBS) $(ARGS)
	$(BIN)/python -m tests.postgres $(BIN)/python -m pytest -n $(JOBS) $(ARGS)

quick: $(DEVELOPMENT) ## Run the tests that take no time on SQLite (90 seconds): no browser, chain, plans or killed processes
	TEST_DATABASE_URL= $(BIN)/python -m pytest -n $(JOBS) -m "not slow" $(ARGS)

check: $(DEVELOPMENT) ## Lint, formatting, types, missing migrations, and Django's checks for deployment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py makemigrations --check --dry-run
	ENV_FILE=/dev/null DATABASE_URL=postgresql:///nft ALLOWED_HOSTS=api.example.org PUBLIC_BASE_URL=https://api.example.org \
	SECRET_KEY=only-to-check-the-settings-0123456789-abcdefghijklmnopqrstuvwxyz \
	$(BIN)/python manage.py check --deploy --fail-level WARNING

bench: $(RUNTIME) ## Measure queries, pages, loads, indexing and images on a PostgreSQL of its own (NFTS=20000, BUFFERS=1GB)
	@ENV_FILE=/dev/null LOG_LEVEL=ERROR SECRET_KEY=$${SECRET_KEY:-only-for-this-measurement-0123456789-abcdefghij} \
	$(TUNED) $(BIN)/python -m tests.postgres sh -c \
	'export DATABASE_URL=$$TEST_DATABASE_URL; $(BIN)/python manage.py migrate -v0 && \
	$(BIN)/python manage.py bench --nfts $(NFTS) $(ARGS)'

drill: $(DEVELOPMENT) ## Try what no test has time for: NAME=trouble, strangers, … (README lists them)
	@case " $(DRILLS) " in *" $(NAME) "*) ;; *) echo "There is no drill called '$(NAME)'. Name one: $(DRILLS)" >&2; exit 2;; esac
	$(TUNED_$(NAME)) $(BIN)/python -m tests.postgres $(BIN)/python -m tests.$(NAME) $(ARGS)

pictures: $(DEVELOPMENT) ## Make the pictures of README and docs anew, from the sample (needs Chromium)
	$(BIN)/python -m tests.pictures

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "This needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	echo "Python cannot make a virtual environment here. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(RUNTIME): | $(BIN)/python
	@echo "Installing into $(VENV)…"
	@$(BIN)/python -m pip install --quiet --requirement requirements.txt
	@rm -f $(VENV)/.runtime-* && touch $@

$(DEVELOPMENT): | $(RUNTIME)
	@echo "Installing the tools for tests and checks into $(VENV)…"
	@$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	@rm -f $(VENV)/.development-* && touch $@
