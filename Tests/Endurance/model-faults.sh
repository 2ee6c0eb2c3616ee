#!/bin/bash
# Lets LLMock judge how chat-send takes what goes wrong, one scripted fault a prompt, on each wire: after
# 429 with a time, 503, 529 and 400 its strict verdict has no finding. A stream that breaks after its
# first pieces is sent once, ends with 69, and leaves one message that is not complete; that it was not
# sent again, LLMock takes for acceptance, and no other finding is allowed.
#
#   Tests/Endurance/model-faults.sh [--short]
#
# --short leaves 503 and the stall out. The tools are those of $AGENTPIPES_BIN, else of .build/debug; LLMock is
# that of $AGENTPIPES_LLMOCK, else it is installed from PyPI into .build/venv-llmock.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
refusals='429 503 529 400'
breaks='disconnect truncate malformed stall'

case $* in
  '') ;;
  --short) refusals='429 529 400' breaks='disconnect truncate malformed' ;;
  *)
    echo 'usage: model-faults.sh [--short]' >&2
    exit 64
    ;;
esac
if [[ ! -x $bin/chat-send ]]; then
  echo "model-faults.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

needs=$root/scripts/needs/llmock-requirements.txt
llmock=${AGENTPIPES_LLMOCK:-$root/.build/venv-llmock/bin/llmock}
if [[ -z ${AGENTPIPES_LLMOCK:-} ]] && ! cmp -s "$needs" "$root/.build/venv-llmock/stamp"; then
  rm -rf "$root/.build/venv-llmock"
  python3 -m venv "$root/.build/venv-llmock" &&
    "$root/.build/venv-llmock/bin/pip" install -q --disable-pip-version-check -r "$needs" >&2 &&
    cp "$needs" "$root/.build/venv-llmock/stamp" || exit 69
fi

scratch=$(mktemp -d)
server=
cleanup() {
  [[ -n $server ]] && kill "$server" 2>/dev/null
  rm -rf "$scratch"
}
trap cleanup EXIT

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
"$llmock" serve --host 127.0.0.1 --port "$port" --log-level error >"$scratch/log" 2>&1 &
server=$!
for ((tries = 0; tries < 600; tries++)); do
  curl -sf "$url/_llmock/requests" >/dev/null && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
if ! curl -sf "$url/_llmock/requests" >/dev/null; then
  echo 'model-faults.sh: LLMock did not start' >&2
  cat "$scratch/log" >&2
  exit 69
fi

export AGENTPIPES_HOME=$scratch/home HOME=$scratch/user TZ=UTC LANG=C.UTF-8
export ANTHROPIC_API_KEY=sk-ant-no-real-key-0000 OPENAI_API_KEY=sk-no-real-key-0000
export ANTHROPIC_BASE_URL=$url/anthropic OPENAI_BASE_URL=$url/v1
mkdir -p "$AGENTPIPES_HOME/config" "$HOME"
printf '[models.gpt-5-nano]\nprovider = "openai"\nkind = "responses"\n' \
  >"$AGENTPIPES_HOME/config/config.toml"

passed=0 failed=0
# Queues a fault and asks: leaves the message in $scratch/out, the status in $status.
ask() {
  curl -sf -X POST "$url/_llmock/reset" >/dev/null
  curl -sf -X POST "$url/_llmock/scenario" -d "{\"behaviors\":[$2]}" >/dev/null
  "$bin/chat-send" -n 'Name three risks.' --model "$1" --idle-timeout 1s >"$scratch/out" 2>"$scratch/err"
  status=$?
}

# Tells whether all of a case held.
judge() {
  if [[ -z $2 ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$1:$2"
    cat "$scratch/out" "$scratch/err"
    curl -s "$url/_llmock/verdict?format=text"
  fi
}

for model in claude-sonnet-4-6 gpt-5-mini gpt-5-nano; do
  for code in $refusals; do
    after=
    [[ $code = 429 ]] && after=',"retry_after":0.3'
    ask "$model" '{"type":"fail","status":'"$code$after"'}'
    wanted=0 complete=true
    [[ $code = 400 ]] && wanted=65 complete=false
    problems=
    ((status == wanted)) || problems+=" status $status"
    [[ $(jq -c '[.type, .complete]' "$scratch/out") = "[\"message\",$complete]" ]] ||
      problems+=' not one message'
    "$llmock" report --strict --url "$url" >"$scratch/report" 2>&1 || problems+=' findings'
    judge "$model, $code" "$problems"
  done
  for kind in $breaks; do
    ask "$model" '{"type":"stream_fault","kind":"'"$kind"'","after_chunks":2,"stall_seconds":5}'
    problems=
    ((status == 69)) || problems+=" status $status"
    [[ $(jq -c '[.type, .complete]' "$scratch/out") = '["message",false]' ]] ||
      problems+=' not one message'
    [[ $(curl -s "$url/_llmock/requests" | jq .count) = 1 ]] || problems+=' sent again'
    others=$(curl -s "$url/_llmock/verdict" | jq -r '.findings[].code' |
      grep -vxE 'truncated_stream_accepted|gave_up|malformed_chunk_ignored')
    [[ -z $others ]] || problems+=" findings: $others"
    judge "$model, $kind" "$problems"
  done
done

echo "$passed passed, $failed failed"
[[ $failed = 0 ]]
