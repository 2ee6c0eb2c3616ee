#!/bin/bash
# Does to the pairing of hub-serve, and to the devices that paired, what attackers, races and kills do: guesses
# from many addresses, two devices with one code, SIGKILL between a pairing and its answer, requests with
# signatures that are changed or replayed, requests that are relayed to another port, tokens of devices and
# other users of the machine in the operator's place, a clock that goes back, streams whose device is revoked
# or goes away, a crowd. Requests are signed by an independent implementation of RFC 9421. No log, file or
# failure holds a secret.
#
#   Tests/Endurance/pair-hub.sh [--short] [CASE...]
#
# The tools are those of $AGENTPIPES_BIN, else of .build/debug; the signer is installed from PyPI into
# .build/venv-http-signatures. What needs a socket of another user is judged as root alone.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
options=()

if [[ ${1:-} = --short ]]; then
  options=(--short)
  shift
fi
if [[ ${1:-} = -* ]]; then
  echo 'usage: pair-hub.sh [--short] [CASE...]' >&2
  exit 64
fi
# shellcheck source=scripts/lib/peers
source "$root/scripts/lib/peers"
install_peers http-signatures || exit
exec "$peers" "$root/Tests/Endurance/Hub/pair_hub.py" "${options[@]}" "$@"
