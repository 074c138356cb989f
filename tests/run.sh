#!/bin/sh
# make test: style, layout, boundaries, types, tests, in this order; every step runs, and the end says which failed.
# make test-fast hands on "fast": without the types, and without the tests that are marked slow.
set -u
cd "$(dirname "$0")/.."
failed=
summary=

step() {
    name=$1
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    began=$(date +%s)
    if ".venv/bin/$@"; then verdict=passed; else verdict=FAILED failed=yes; fi
    summary="$summary
  $name: $verdict ($(($(date +%s) - began)) s)"
}

step style ruff check --quiet .
step layout ruff format --check --quiet .
step boundaries lint-imports --no-cache --no-logo
# Where Python may keep no bytecode every process takes every test apart again, and every command all of the program.
unset PYTHONDONTWRITEBYTECODE
# As the program has it: threads that wait for one another take ten times as long for small matrices.
export OPENBLAS_NUM_THREADS=1
# Tests run side by side already: OpenCV's own threads would take turns with them on the same cores.
export OPENCV_FOR_THREADS_NUM=1
chosen= named=--all-said
if [ "${1:-}" = fast ]; then
    # Whatever takes longer than answering at once is named at the end, to be marked or made quicker.
    chosen='not slow' named='--durations=10 --durations-min=1'
elif grep -qs 'include-system-site-packages = true' .venv/pyvenv.cfg; then
    # On a Raspberry Pi some libraries come from apt, in versions whose types differ or are missing.
    summary="$summary
  types: left out here, they are checked against the locked libraries only"
else
    step types mypy --no-error-summary
fi
# Each process begins with its part of the tests, in their order, and what one file's tests share is made once. One more
# than there are cores: a fifth of the time a test waits for a thread, a process or a clock.
# shellcheck disable=SC2086  # options
step tests pytest --quiet --numprocesses "$(($(nproc) + 1))" --dist worksteal $named -m "$chosen"

printf '\n%s%s\n' "$([ -z "$failed" ] && echo 'Everything passed.' || echo 'Something FAILED.')" "$summary"
[ -z "$failed" ]
