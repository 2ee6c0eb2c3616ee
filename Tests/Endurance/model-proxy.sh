#!/bin/bash
# Has LiteLLM's proxy answer chat-send over Anthropic's Messages, chat completions and Responses: it knows each
# wire from another reading of it than ours. Its model is a mock of its own; where a mock cannot be
# streamed over a wire, the proxy asks itself for it and translates.
#
#   Tests/Endurance/model-proxy.sh [--short]
#
# LiteLLM has 700 MB: it is installed from PyPI into .build/venv-litellm, but for --short, which does
# nothing unless it is there or $AGENTPIPES_LITELLM names it. The tools are those of $AGENTPIPES_BIN,
# else of .build/debug.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
folder=$root/.build/venv-litellm
litellm=${AGENTPIPES_LITELLM:-$folder/bin/litellm}

case $* in
  '' | --short) ;;
  *)
    echo 'usage: model-proxy.sh [--short]' >&2
    exit 64
    ;;
esac
if [[ ! -x $bin/chat-send ]]; then
  echo "model-proxy.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi
if [[ ! -x $litellm ]]; then
  if [[ ${1:-} = --short ]]; then
    echo 'LiteLLM is not there: nothing is asked of it'
    exit 0
  fi
  rm -rf "$folder"
  python3 -m venv "$folder" &&
    "$folder/bin/pip" install -q --disable-pip-version-check 'litellm[proxy]==1.106.2' >&2 || exit 69
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
LITELLM_MASTER_KEY=sk-$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
export LITELLM_MASTER_KEY LITELLM_LOCAL_MODEL_COST_MAP=True
cat >"$scratch/proxy.yaml" <<END
model_list:
  - model_name: gpt-5-mini
    litellm_params: {model: groq/mock, api_key: none, mock_response: "It rains on the hills."}
  - model_name: claude-sonnet-4-6
    litellm_params: {model: hosted_vllm/gpt-5-mini, api_base: "$url/v1", api_key: os.environ/LITELLM_MASTER_KEY}
  - model_name: gpt-5-nano
    litellm_params: {model: groq/gpt-5-mini, api_base: "$url/v1", api_key: os.environ/LITELLM_MASTER_KEY}
END
"$litellm" --config "$scratch/proxy.yaml" --host 127.0.0.1 --port "$port" >"$scratch/log" 2>&1 &
server=$!
for ((tries = 0; tries < 1200; tries++)); do
  curl -sf "$url/health/liveliness" >/dev/null && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done

export AGENTPIPES_HOME=$scratch/home HOME=$scratch/user TZ=UTC LANG=C.UTF-8
export ANTHROPIC_API_KEY=$LITELLM_MASTER_KEY OPENAI_API_KEY=$LITELLM_MASTER_KEY
export ANTHROPIC_BASE_URL=$url OPENAI_BASE_URL=$url/v1
mkdir -p "$AGENTPIPES_HOME/config" "$HOME"
printf '[models.gpt-5-nano]\nprovider = "openai"\nkind = "responses"\n' \
  >"$AGENTPIPES_HOME/config/config.toml"

passed=0 failed=0
for model in claude-sonnet-4-6 gpt-5-mini gpt-5-nano; do
  for options in '' '--continue' '--max-tokens 20 --system Brief.'; do
    # shellcheck disable=SC2086
    "$bin/chat-send" -n 'Where does it rain?' --model "$model" $options >"$scratch/out" 2>"$scratch/err"
    status=$?
    told=$(jq -c '[.type, .text, .complete, .usage.outputTokens > 0]' "$scratch/out")
    if [[ $status = 0 && $told = '["message","It rains on the hills.",true,true]' ]]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "$model $options: status $status"
      cat "$scratch/out" "$scratch/err"
      tail -n 5 "$scratch/log"
    fi
  done
done

echo "$passed passed, $failed failed"
[[ $failed = 0 ]]
