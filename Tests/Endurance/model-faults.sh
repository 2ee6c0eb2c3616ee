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
# shellcheck source=scripts/lib/model-judge
source "$root/scripts/lib/model-judge"
llmock=${AGENTPIPES_LLMOCK:-}
if [[ -z $llmock ]]; then
  # shellcheck source=scripts/lib/peers
  source "$root/scripts/lib/peers"
  install_peers llmock || exit
  llmock=${peers%/*}/llmock
fi
start_judge /_llmock/requests "$llmock" serve --log-level error
ask_judge /anthropic sk-no-real-key-0000

# ask MODEL FAULT [OPTION...]: queues the fault and asks.
ask() {
  curl -sf -X POST "$url/_llmock/reset" >/dev/null
  curl -sf -X POST "$url/_llmock/scenario" -d "{\"behaviors\":[$2]}" >/dev/null
  send_prompt 'Name three risks.' --model "$1" "${@:3}"
  status=$?
}
verdict() { curl -s "$url/_llmock/verdict$1"; }

for model in $models; do
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
    settle "$model, $code" "$problems" verdict '?format=text'
  done
  for kind in $breaks; do
    limit=()
    [[ $kind = stall ]] && limit=(--idle-timeout 10s)
    ask "$model" '{"type":"stream_fault","kind":"'"$kind"'","after_chunks":2,"stall_seconds":60}' "${limit[@]}"
    problems=
    ((status == 69)) || problems+=" status $status"
    [[ $(jq -c '[.type, .complete]' "$scratch/out") = '["message",false]' ]] ||
      problems+=' not one message'
    [[ $(curl -s "$url/_llmock/requests" | jq .count) = 1 ]] || problems+=' sent again'
    others=$(verdict '' | jq -r '.findings[].code' |
      grep -vxE 'truncated_stream_accepted|gave_up|malformed_chunk_ignored')
    [[ -z $others ]] || problems+=" findings: $others"
    settle "$model, $kind" "$problems" verdict '?format=text'
  done
done
end_checks
