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
litellm=${AGENTPIPES_LITELLM:-}

case $* in
  '' | --short) ;;
  *)
    echo 'usage: model-proxy.sh [--short]' >&2
    exit 64
    ;;
esac
# shellcheck source=scripts/lib/model-judge
source "$root/scripts/lib/model-judge"
if [[ -z $litellm ]]; then
  if [[ ${1:-} = --short && ! -x $root/.build/venv-litellm/bin/litellm ]]; then
    echo 'LiteLLM is not there: nothing is asked of it'
    exit 0
  fi
  # shellcheck source=scripts/lib/peers
  source "$root/scripts/lib/peers"
  install_peers litellm || exit
  litellm=${peers%/*}/litellm
fi

LITELLM_MASTER_KEY=sk-$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
export LITELLM_MASTER_KEY LITELLM_LOCAL_MODEL_COST_MAP=True
cat >"$scratch/proxy.yaml" <<END
model_list:
  - model_name: gpt-5.5
    litellm_params: {model: groq/mock, api_key: none, mock_response: "It rains on the hills."}
  - model_name: claude-sonnet-4-6
    litellm_params: {model: hosted_vllm/gpt-5.5, api_base: "$url/v1", api_key: os.environ/LITELLM_MASTER_KEY}
  - model_name: gpt-6-luna
    litellm_params: {model: groq/gpt-5.5, api_base: "$url/v1", api_key: os.environ/LITELLM_MASTER_KEY}
END
start_judge /health/liveliness "$litellm" --config "$scratch/proxy.yaml"
ask_judge '' "$LITELLM_MASTER_KEY"

for model in $models; do
  for options in '' '--continue' '--max-tokens 20 --system Brief.'; do
    # shellcheck disable=SC2086
    send_prompt 'Where does it rain?' --model "$model" $options
    status=$?
    problems=
    ((status == 0)) || problems+=" status $status"
    [[ $(jq -c '[.type, .text, .complete, .usage.outputTokens > 0]' "$scratch/out") = \
      '["message","It rains on the hills.",true,true]' ]] || problems+=' not the answer'
    settle "$model $options" "$problems" tail -n 5 "$scratch/log"
  done
done
end_checks
