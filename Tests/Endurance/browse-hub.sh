#!/bin/bash
# Opens the hub's page in a real Chromium, as a person does, with scripts and without: signs in, reads each view,
# decides gates, controls an agent, watches events arrive, is notified, and is attacked by other sites. axe judges
# each view. Then come the sizes of a phone and a desk, text of twice the size, and hostile texts in every record.
#
#   Tests/Endurance/browse-hub.sh [--short] [--seed N]
#
# 10,000 hostile texts, or 500 with --short. If $AGENTPIPES_RECORD is set, outlines.txt is written anew. It needs
# chromium(1), and axe in .build/venv-page, which scripts/test installs: without these, nothing is tried. The tools
# are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
export AGENTPIPES_TEXTS=10000

while [ $# -gt 0 ]; do
  case $1 in
    --short) AGENTPIPES_TEXTS=500 ;;
    --seed)
      export AGENTPIPES_SEED=${2:?browse-hub.sh: --seed needs a number}
      shift
      ;;
    *)
      echo 'usage: browse-hub.sh [--short] [--seed N]' >&2
      exit 64
      ;;
  esac
  shift
done
judges=$root/.build/venv-page
AXE=$(find "$judges" -name axe.min.js -print -quit 2>/dev/null)
export AXE
if ! command -v chromium >/dev/null || [ -z "$AXE" ]; then
  echo 'browse-hub.sh: nothing was tried: there is no chromium(1), or no axe in .build/venv-page'
  exit 0
fi
exec "$judges/bin/python" "$root/Tests/Endurance/Page/browse_hub.py"
