#!/bin/bash
# Has OpenTelemetry's SDK for Python send one run to a hub, as protobuf and as JSON, plain and packed by
# gzip, and checks that the hub has the same events of each.
#
#   Tests/Endurance/otlp-sdk.sh [--short]
#
# --short is all there is. The tools are those of $AGENTPIPES_BIN, else of .build/debug; the exporters are
# installed from PyPI into .build/venv-otlp-proto and .build/venv-otlp-json.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
case ${1:---short} in
  --short) ;;
  *)
    echo "usage: otlp-sdk.sh [--short]" >&2
    exit 64
    ;;
esac
if [[ ! -x $bin/hub-serve ]]; then
  echo "otlp-sdk.sh: no program '$bin/hub-serve': build it, or set AGENTPIPES_BIN" >&2
  exit 66
fi
# shellcheck source=scripts/lib/peers
source "$root/scripts/lib/peers"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/otlp-sdk.XXXXXX") || exit
hub=
finish() {
  if [[ -n $hub ]]; then kill "$hub" && wait "$hub"; fi 2>/dev/null
  rm -rf "$scratch"
}
trap finish EXIT

# send EXPORTER COMPRESSION: the events that a new hub has of the run, without their ids in its log.
send() {
  export AGENTPIPES_HOME=$scratch/$1-$2
  : >"$scratch/told"
  "$bin/hub-serve" --listen 127.0.0.1:0 2>"$scratch/told" &
  hub=$!
  until grep -q 'listening on' "$scratch/told"; do
    kill -0 "$hub" 2>/dev/null || { cat "$scratch/told" >&2; return 1; }
    sleep 0.05
  done
  local url token
  url=$(grep -o 'http://[0-9.:]*' "$scratch/told")
  token=$(cat "$AGENTPIPES_HOME/data/hub.token")
  OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20$token" OTEL_EXPORTER_OTLP_COMPRESSION=$2 \
    OTEL_EXPORTER_OTLP_TIMEOUT=300 \
    "$peers" "$root/Tests/Units/OTLP/Fixtures/capture.py" "$url" || return
  curl -sf -H "Authorization: Bearer $token" "$url/v1/events?limit=10000" |
    jq -cS '.events[] | del(.id) | select(.type != "alert")' | LC_ALL=C sort >"$scratch/$1-$2.ndjson"
  kill "$hub" && wait "$hub"
  hub=
  return 0
}

status=0
for exporter in proto json; do
  install_peers "otlp-$exporter" || exit
  for compression in none gzip; do
    send "$exporter" "$compression" || {
      echo "otlp-sdk.sh: $exporter, $compression: it was not sent" >&2
      exit 1
    }
    file=$scratch/$exporter-$compression.ndjson
    echo "$exporter, $compression: $(wc -l <"$file") events"
    if [[ ! -s $file ]] || ! diff "$scratch/proto-none.ndjson" "$file" >&2; then status=1; fi
  done
done
[[ $status -eq 0 ]]
