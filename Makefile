# make demo   a whole match of two bots at the simulated table, refereed from its camera frames
# make test   style, types and tests
# make test-fast   style, and the tests that answer at once
# make explore   the properties alone, on examples that are new every time and up to ten times as many
#
# make voices ARGS="--models DIR --out DIR"   has piper speak the fixed calls and the lessons, where it is installed
#
# All first make .venv with everything in it; once that is done they leave it alone until the lock changes.
# make demo ARGS="--seed 7 --headless"   hands options on (see .venv/bin/engarde demo --help)
# make test PYTHON=python3.12            makes .venv with that Python

# A Python path meant for other programs would put their modules before ours.
unexport PYTHONPATH PYTHONHOME

.PHONY: demo test test-fast explore voices setup
.NOTPARALLEL:

demo: setup
	@.venv/bin/engarde demo $(ARGS)

test: setup
	@sh tests/run.sh

test-fast: setup
	@sh tests/run.sh fast

explore: setup
	@.venv/bin/pytest --quiet --numprocesses auto --dist worksteal -m hypothesis --hypothesis-profile explore tests $(ARGS)

voices: setup
	@.venv/bin/python -m firmware.tools.voices $(ARGS)

# On a Pi only these need the tools of development.
test test-fast explore: export DEV = 1

setup:
	@PYTHON='$(PYTHON)' sh firmware/setup.sh
