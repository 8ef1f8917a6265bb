#!/bin/sh
# The tests of the TypeScript client run in Deno and Bun too. In CI the newest are installed; elsewhere those tests are
# skipped without them.
set -eu

if [ "${CI:-}" != true ]; then
    if [ ! -d .runtimes/node_modules ]; then
        echo "no Deno and Bun here: the client's tests in them will be skipped (make client-runtimes, 190 MB)"
    fi
    exit 0
fi
echo "installing the newest Deno and Bun into .runtimes"
mkdir -p .runtimes
if ! command -v npm >/dev/null 2>&1; then
    echo "no npm here: the client's tests in Deno and Bun will be skipped"
    exit 0
fi
npm install --prefix .runtimes --silent --ignore-scripts --no-audit --no-fund deno@latest bun@latest
