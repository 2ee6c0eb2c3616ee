#!/bin/bash
# Holds hub-serve against its contracts: schemathesis asks what docs/openapi.yaml allows and what it does not,
# and what is said over a WebSocket is held against docs/asyncapi.yaml.
#
#   Tests/Endurance/contract-hub.sh [--short]
#
# 400 examples of each question, or 15 with --short. schemathesis is installed from PyPI into
# .build/venv-schemathesis. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
examples=400

case $* in
  '') ;;
  --short) examples=15 ;;
  *)
    echo 'usage: contract-hub.sh [--short]' >&2
    exit 64
    ;;
esac
# shellcheck source=scripts/lib/peers
source "$root/scripts/lib/peers"
install_peers schemathesis || exit
exec "$peers" "$root/Tests/Endurance/Hub/contract_hub.py" --examples "$examples" \
  --schemathesis "${peers%/*}/schemathesis"
