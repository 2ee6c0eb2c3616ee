"""Part of the self-test of model_server.py: what Azure, GitHub and llama.cpp have of their own."""

import json

from checks import Running, equal, scripted
from model_client import KEY, events, request

SERVER = "model_server.py"
AZURE = {"api-key": KEY}
GITHUB = {
    "authorization": f"Bearer {KEY}",
    "accept": "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
}


def post(server, path, headers, **fields):
    """(status, the body's JSON or the events' data)."""
    body = json.loads(request("chat", model=fields.pop("model", "model-a"))[2]) | fields
    link = server.connect()
    link.request("POST", path, json.dumps(body), headers | {"content-type": "application/json"})
    answer = link.getresponse()
    data = answer.read()
    link.close()
    if answer.status != 200:
        return answer.status, json.loads(data)["error"]
    return 200, [json.loads(text) for _, text in events(data) if text != "[DONE]"]


def azure_and_github_want_their_own_paths_and_headers():
    dated, version = "/openai/deployments/d/chat/completions", "?api-version=2024-12-01-preview"
    inference = "/inference/chat/completions"
    with Running(SERVER) as server:
        equal(post(server, "/openai/v1/chat/completions", AZURE)[0], 200)
        equal(post(server, dated + version, AZURE)[0], 200)
        equal(post(server, dated, AZURE)[1]["code"], "404")
        equal(post(server, "/openai/chat/completions" + version, AZURE)[0], 404)
        equal(post(server, dated + version, {"x-api-key": KEY})[0], 401)
        equal(post(server, inference, GITHUB, model="meta/llama")[0], 200)
        equal(post(server, inference, GITHUB)[1]["code"], "unknown_model")
        for name in ("accept", "x-github-api-version"):
            equal(post(server, inference, GITHUB | {name: "x"}, model="a/b")[0] >= 400, True)
        refused = post(server, inference, GITHUB, model="openai/gpt-5.5", max_tokens=5)
        equal(refused[1]["code"], "unsupported_parameter")


def their_streams_begin_and_end_as_theirs_do():
    with Running(SERVER) as server:
        first, *_ = post(server, "/openai/v1/chat/completions", AZURE)[1]
        equal((first["choices"], first["model"], "prompt_filter_results" in first), ([], "", True))
    with scripted(SERVER, [{}, {"status": 500}], "--local") as server:
        last = post(server, "/v1/chat/completions", {})[1][-1]
        equal((last["choices"][0]["finish_reason"], "usage" in last), ("stop", True))
        equal(post(server, "/v1/chat/completions", {})[1]["code"], 500)


CHECKS = [
    azure_and_github_want_their_own_paths_and_headers,
    their_streams_begin_and_end_as_theirs_do,
]
