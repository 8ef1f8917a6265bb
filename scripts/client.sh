#!/bin/sh
# The tests of the TypeScript client need Node 20 and its packages. In CI they must be there; elsewhere the tests are
# skipped without Node.
set -eu

if ! command -v npm >/dev/null 2>&1; then
    if [ "${CI:-}" = true ]; then
        echo "no Node here, and the tests of the TypeScript client need it" >&2
        exit 1
    fi
    echo "no Node here: the tests of the TypeScript client will be skipped"
    exit 0
fi
${MAKE:-make} --silent --no-print-directory clients/typescript/node_modules/.made
cd clients/typescript && npm run --silent build
