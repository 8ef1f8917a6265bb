#!/bin/sh
# The browser tests need Chromium. In CI it is installed when it is missing; elsewhere they are skipped without it.
set -eu

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "${CI:-}" != true ]; then
    echo "no Chromium here: the tests of the web page will be skipped (apt-get install chromium)"
    exit 0
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then as_root="sudo -n"; fi
echo "installing Chromium for the tests of the web page"
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -qq -y --no-install-recommends chromium >/dev/null
