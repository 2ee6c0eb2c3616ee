#!/bin/bash
# Lets the protocol's official suite judge tool-call in the scenarios that two revisions require of a client.
#
#   Tests/Endurance/mcp-conformance.sh [--short] [REVISION...]
#
# The suite is the npm package @modelcontextprotocol/conformance: the program $AGENTPIPES_CONFORMANCE, else
# `conformance` on PATH. Without it nothing is judged, which is said. The tools are those of $AGENTPIPES_BIN, else of
# .build/debug. The suite runs this script again for each scenario, as `mcp-conformance.sh --client URL`.
set -uo pipefail

self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
bin=${AGENTPIPES_BIN:-${self%/Tests/*}/.build/debug}

# Answers one scenario: adds the server at the URL, and does what the scenario waits for.
play() {
  local url=$1 scenario=${MCP_CONFORMANCE_SCENARIO:?} scratch calls
  scratch=$(mktemp -d) || return
  # shellcheck disable=SC2064
  trap "rm -rf '$scratch'" EXIT
  export PATH="$bin:$PATH" HOME="$scratch" AGENTPIPES_HOME="$scratch/home" TZ=UTC LANG=C.UTF-8
  export BROWSER=$scratch/browser
  # shellcheck disable=SC2016
  printf '#!/bin/sh\nexec curl -sL "$1"\n' >"$BROWSER"
  chmod +x "$BROWSER"
  mkdir -p "$AGENTPIPES_HOME/config"
  local context=${MCP_CONFORMANCE_CONTEXT:-null} id=
  case $scenario in
    auth/pre-registration)
      id=$(jq -r .client_id <<<"$context")
      jq -j .client_secret <<<"$context" | key-store set client-mcp-s
      ;;
    auth/basic-cimd) id=https://conformance-test.local/client-metadata.json ;;
  esac
  {
    printf '[mcp.s]\nurl = "%s"\nprotocol = "%s"\n' "$url" "${MCP_CONFORMANCE_PROTOCOL_VERSION:?}"
    if [[ -n $id ]]; then printf 'client_id = "%s"\n' "$id"; fi
  } >"$AGENTPIPES_HOME/config/config.toml"

  case $scenario in
    auth/*) calls='{"name":"test-tool"}' ;;
    tools_call) calls='{"name":"add_numbers","arguments":{"a":5,"b":3}}' ;;
    sse-retry) calls='{"name":"test_reconnection"}' ;;
    elicitation-sep1034-client-defaults) calls='{"name":"test_client_elicitation_defaults"}' ;;
    http-standard-headers) calls='{"name":"test_headers"} {"name":"my-hyphenated-tool"}' ;;
    http-custom-headers) calls=$(jq -c '.toolCalls[]' <<<"$context") ;;
    sep-2322-client-request-state)
      calls='{"name":"test_mrtr_echo_state"} {"name":"test_mrtr_unrelated"} {"name":"test_mrtr_no_state"}
        {"name":"test_mrtr_no_result_type"}'
      ;;
    *) calls= ;;
  esac
  if [[ -z $calls ]]; then
    attempt tool-call list mcp:s --fresh
    return
  fi
  jq -c '{type: "toolCall", id: "c\(input_line_number)-\(.name)", source: "mcp:s", name, arguments: (.arguments // {})}' \
    <<<"$calls" >"$scratch/calls"
  case $scenario in
    sep-2322-* | elicitation-*) answered "$scratch/calls" ;;
    *) attempt eval "tool-call --allow 'mcp:s/*' - <'$scratch/calls'" ;;
  esac
}

# Runs a command; while it says that a login is missing or lacks a scope, logs in and runs it again, twice at most.
attempt() {
  local tries status
  for tries in 1 2 3; do
    "$@"
    status=$?
    if ((status != 77 || tries == 3)); then return $status; fi
    tool-call login mcp:s || return
  done
}

# Makes the calls of a file on a terminal, and accepts each question with an empty line for each member.
answered() {
  python3 - "$1" <<'PYTHON'
import os, pty, sys

process, terminal = pty.fork()
if process == 0:
    os.execvp("bash", ["bash", "-c", "tool-call --json --allow 'mcp:s/*' - <\"$0\"", sys.argv[1]])
shown = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    os.write(1, piece)
    shown += piece
    if shown.endswith(b"[d]ecline? "):
        os.write(terminal, b"a\n")
        shown = b""
    elif shown.endswith(b": "):
        os.write(terminal, b"\n")
        shown = b""
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
PYTHON
}

revisions=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --client)
      play "${2:?}"
      exit
      ;;
    --short) ;;
    2*) revisions+=("$1") ;;
    *)
      echo "usage: mcp-conformance.sh [--short] [REVISION...]" >&2
      exit 64
      ;;
  esac
  shift
done
if [[ ! -x $bin/tool-call ]]; then
  echo "mcp-conformance.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi
suite=${AGENTPIPES_CONFORMANCE:-$(command -v conformance)}
if [[ -z $suite ]]; then
  echo "mcp-conformance.sh: skipped: there is no 'conformance' of @modelcontextprotocol/conformance"
  exit 0
fi
if [[ ${#revisions[@]} -eq 0 ]]; then revisions=(2025-11-25 2026-07-28); fi
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit
failed=0
for revision in "${revisions[@]}"; do
  echo "== $revision"
  AGENTPIPES_BIN=$bin "$suite" client --requirements "$revision" --command "bash $self --client" || failed=1
done
exit $failed
