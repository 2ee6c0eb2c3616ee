#!/bin/bash
# Holds the prices of the catalogue against genai-prices, on random usages: of each model and day of which
# both know a price, both give the same cost, to the last digit.
#
#   Tests/Endurance/model-prices.sh [--short] [--seed N]
#
# 10,000 usages, or 1,000 with --short. genai-prices comes from PyPI, into .build/venv-prices. The judge is
# $AGENTPIPES_BIN's, else that of .build/debug.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
count=10000 seed=1

while [[ $# -gt 0 ]]; do
  case $1 in
    --short) count=1000 ;;
    --seed)
      seed=${2:?model-prices.sh: --seed needs a number}
      shift
      ;;
    *)
      echo 'usage: model-prices.sh [--short] [--seed N]' >&2
      exit 64
      ;;
  esac
  shift
done

if [[ ! -x $bin/price-judge ]]; then
  echo "model-prices.sh: no program '$bin/price-judge': build it, or set AGENTPIPES_BIN" >&2
  exit 66
fi
# shellcheck source=scripts/lib/peers
source "$root/scripts/lib/peers"
install_peers prices || exit
exec "$peers" "$root/Tests/Endurance/Prices/model_prices.py" "$bin/price-judge" \
  "$root/Sources/Catalogue/models.ndjson" "$count" "$seed"
