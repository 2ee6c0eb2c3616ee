#!/bin/bash
# Lets LLMock, whose models call the tools that they are offered, run the loop of chat-send with mcp-server-git
# on each wire, and answer its two faults: a call whose arguments are no JSON, and a call of an unknown tool.
#
#   Tests/Endurance/model-tools.sh
#
# The tools are those of $AGENTPIPES_BIN, else of .build/debug; LLMock is that of $AGENTPIPES_LLMOCK, else it is
# installed from PyPI into .build/venv-llmock, and mcp-server-git into .build/venv-mcp.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=scripts/lib/model-judge
source "$root/scripts/lib/model-judge"
# shellcheck source=scripts/lib/peers
source "$root/scripts/lib/peers"
llmock=${AGENTPIPES_LLMOCK:-}
if [[ -z $llmock ]]; then
  install_peers llmock || exit
  llmock=${peers%/*}/llmock
fi
install_peers mcp || exit
start_judge /_llmock/requests "$llmock" serve --log-level error --tool-mode auto
ask_judge /anthropic sk-no-real-key-0000
git init -q "$scratch/repository"
export LOCAL_API_KEY=$OPENAI_API_KEY
# GPT models take tools over Responses only, so a server of ours stands for chat completions.
cat >>"$AGENTPIPES_HOME/config/config.toml" <<END
[models.chatter]
provider = "local"
endpoint = "$url/v1"
[mcp.git]
command = ["${peers%/*}/mcp-server-git", "--repository", "$scratch/repository"]
END

# Queues a behaviour, if one is given, and asks with tools.
ask() {
  curl -sf -X POST "$url/_llmock/reset" >/dev/null
  [[ -z $2 ]] || curl -sf -X POST "$url/_llmock/scenario" -d "{\"behaviors\":[$2]}" >/dev/null
  send_prompt 'Show the status of the working tree.' --model "$1" --tool 'mcp:git/*' --allow 'mcp:git/*'
  status=$?
}
verdict() { curl -s "$url/_llmock/verdict$1"; }

for model in claude-sonnet-4-6 chatter gpt-6-luna; do
  for fault in '' malformed_arguments unknown_tool; do
    ask "$model" "${fault:+{\"type\":\"tool_fault\",\"kind\":\"$fault\"\}}"
    problems=
    ((status == 0)) || problems+=" status $status"
    [[ $(jq -r 'select(.type == "message") | "\(.role) \(.complete)"' "$scratch/out" | tail -n 1) = \
      'assistant true' ]] || problems+=' no last answer'
    sent=$(jq -r 'select(.type == "toolResult") | .consent // .error.code' "$scratch/out" | head -n 1)
    case $fault in
      '') [[ $sent = option ]] || problems+=" the call was not sent: $sent" ;;
      malformed_arguments) [[ $sent = BadInput ]] || problems+=" result $sent" ;;
      unknown_tool) [[ $sent = NotFound ]] || problems+=" result $sent" ;;
    esac
    "$llmock" report --strict --url "$url" >"$scratch/report" 2>&1 || problems+=' findings'
    settle "$model, ${fault:-no fault}" "$problems" verdict '?format=text'
  done
done
end_checks
