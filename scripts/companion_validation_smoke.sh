#!/usr/bin/env bash
# Asks all ten companion endpoints and /health of a running hub by curl, as its operator on the hub's own
# machine: a line each, PASS or FAIL. The exit status is 1 where one failed.
#
#   scripts/companion_validation_smoke.sh [URL]      http://127.0.0.1:7878 unless told otherwise
#
# It pairs a device of its own, which it revokes at the end. Projects, chats and messages are asked for
# where there are some; where there is none, the endpoints have to say so.
set -euo pipefail

url=${1:-http://127.0.0.1:7878}
failed=0
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# ask METHOD PATH [BODY]: the status; the answer is in the file.
ask() {
  local arguments=(--silent --max-time 60 --output "$answer" --write-out '%{http_code}' --request "$1")
  if [ $# -gt 2 ]; then arguments+=(--header 'Content-Type: application/json' --data "$3"); fi
  curl "${arguments[@]}" "$url$2" || true
}

# expect NAME STATUS FILTER: judges what ask gave.
expect() {
  local name=$1 status=$2 wanted=$3 filter=$4
  if [ "$status" = "$wanted" ] && jq --exit-status "$filter" "$answer" > /dev/null 2>&1; then
    printf 'PASS %s\n' "$name"
  else
    printf 'FAIL %s: status %s: %s\n' "$name" "$status" "$(head -c 300 "$answer")"
    failed=1
  fi
}

expect 'GET /health' "$(ask GET /health)" 200 '.status == "ok"'
expect 'POST /companion/pairing/start' "$(ask POST /companion/pairing/start '{"ttlSeconds":60}')" 200 \
  '.ok and (.code | test("^[0-9]{6}$")) and (.qrPayload | fromjson | .protocol == "copilotforge-pair-v1")'
body=$(jq --compact-output '{pairingCode: .code, pairingToken: (.qrPayload | fromjson? | .token),
  deviceName: "smoke test", devicePublicKey: "c21va2UgdGVzdA=="}' "$answer")
expect 'POST /companion/pairing/complete' "$(ask POST /companion/pairing/complete "$body")" 200 \
  '.ok and .connected and .connectedDevice.name == "smoke test"'
id=$(jq --raw-output '.connectedDevice.id // "none"' "$answer")
expect 'GET /companion/status' "$(ask GET /companion/status)" 200 '.ok and .connected'
expect 'GET /companion/devices' "$(ask GET /companion/devices)" 200 \
  '.ok and (.devices | map(.name) | index("smoke test") != null)'
expect 'GET /companion/projects' "$(ask GET /companion/projects)" 200 '.ok and (.projects | type == "array")'
project=$(jq --raw-output '.projects[0].id // "none"' "$answer")
found=200
[ "$project" != none ] || found=404
expect 'GET /companion/projects/:projectId/chats' "$(ask GET "/companion/projects/$project/chats")" "$found" \
  '(.ok and (.chats | type == "array")) or .code == "NotFound"'
chat=$(jq --raw-output '.chats[0].id // "none"' "$answer")
found=200
[ "$chat" != none ] || found=404
expect 'GET /companion/chats/:chatId/messages' "$(ask GET "/companion/chats/$chat/messages?cursor=0&limit=1")" \
  "$found" '(.ok and (.messages | type == "array")) or .code == "NotFound"'
# An empty prompt is asked of nobody: nothing is spent, and the chat stays as it is.
found=400
[ "$chat" != none ] || found=404
expect 'POST /companion/chats/:chatId/continue' \
  "$(ask POST "/companion/chats/$chat/continue" "$([ "$found" = 400 ] && echo '{"prompt":""}' || echo '{"prompt":"hello"}')")" \
  "$found" '.ok == false and (.code == "BadInput" or .code == "NotFound")'
expect 'POST /companion/disconnect' "$(ask POST /companion/disconnect)" 200 '.ok and (.connected | not)'
expect 'DELETE /companion/devices/:id' "$(ask DELETE "/companion/devices/$id")" 200 '.ok'
exit "$failed"
