import Foundation
import TestSupport
import Testing

@Suite("model-list")
struct ModelListTests {
  @Test func `a model is added, described anew, set as the default and forgotten`() async throws {
    try await Scratch.with { scratch in
      try await scratch.setDay(Scratch.day)
      try await scratch.shell(
        "model-list add llama3 --provider local --endpoint http://127.0.0.1:9/v1 --context 8192"
          + " --input-price 0.00001 --output-price 2 --cache-read-price 0 --cache-write-price 0.5")
      try await scratch.shell(
        "model-list add 'pub/\"x\"' --kind responses --key my-key --endpoint https://a.example/v1")
      try await scratch.shell("model-list add llama3 --endpoint http://127.0.0.1:9/v1")
      try await scratch.shell("model-list default llama3")
      try await scratch.shell(
        "cat ../home/config/models.toml; stat -c %a ../home/config/models.toml")
      try await scratch.shell("model-list --text")
      try await scratch.shell("model-list remove llama3")
      try await scratch.shell("model-list remove llama3")
      try await scratch.shell("cat ../home/config/models.toml")
      try scratch.expectGolden("model-list/round-trip")
    }
  }

  @Test func `models that are added at once are all kept`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(
        "for i in $(seq 12); do model-list add m$i --provider local >/dev/null & done; wait;"
          + " grep -c '^\\[models' ../home/config/models.toml")
      #expect(run.output == "12\n")
    }
  }

  @Test func `all models are listed with what is known of them`() async throws {
    try await Scratch.with { scratch in
      try await scratch.setDay(Scratch.day)
      scratch.set("OPENAI_API_KEY", scratch.secret)
      scratch.set("OPENAI_BASE_URL", "https://u:p@openai.example/v1?a=b")
      try await scratch.shell("model-list list")
      try scratch.expectGolden("model-list/list")
    }
  }

  @Test func `config.toml goes first, and no tool writes it`() async throws {
    try await Scratch.with { scratch in
      let text = "model = \"mine\"\n[models.mine]\nendpoint = \"http://127.0.0.1:9/v1\"\n"
      try scratch.write("home/config/config.toml", text)
      chmod(scratch.path("home/config"), 0o700)
      try await scratch.shell("model-list add mine --provider openai")
      try await scratch.shell("model-list remove mine")
      try await scratch.shell("model-list default gpt-5.4-mini")
      try await scratch.shell("model-list add other --provider openai")
      try scratch.expectGolden("model-list/configured")
      #expect(scratch.read("home/config/config.toml") == text)
    }
  }

  @Test func `what can never be asked is refused`() async throws {
    try await Scratch.with { scratch in
      for arguments in [
        "add mystery", "add a --provider google", "add a --provider openai --kind text",
        "add a --endpoint ftp://a.example", "add a --endpoint https://u:p@a.example",
        "add '' --provider openai", "add $'a\\e[2J' --provider openai", "add a --context 0",
        "add a --input-price -1", "default mystery", "check mystery", "refresh google",
      ] {
        try await scratch.shell("model-list \(arguments)")
      }
      try await scratch.shell("ls ../home/config")
      try scratch.expectGolden("model-list/refused")
    }
  }

  @Test func `providers tell their models, which are listed from then on`() async throws {
    try await Scratch.with { scratch in
      let server = try LoopbackServer { request in
        let body =
          request.contains("/catalog/models")
          ? #"[{"id":"openai/gpt-4.1","limits":{"max_input_tokens":1000}},{"id":"a\u001b"},{"id":7}]"#
          : #"{"object":"list","data":[{"id":"llama3:8b","context_length":8192},{"id":"dall-e-2"}]}"#
        return Reply(
          "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n",
          body: Array(body.utf8))
      }
      scratch.set("GITHUB_TOKEN", scratch.secret)
      scratch.set("GITHUB_MODELS_BASE_URL", server.url("/inference"))
      scratch.set("LOCAL_BASE_URL", server.url("/v1"))
      try await scratch.shell("model-list refresh github local --retries 0 --total-timeout 200")
      try await scratch.shell("model-list refresh local --idle-timeout 200 --connect-timeout 200")
      try await scratch.shell("model-list | grep -e gpt-4.1 -e llama3")
      try scratch.expectGolden("model-list/refresh")
      let github = try #require(server.requests.first)
      #expect(github.hasPrefix("GET /catalog/models HTTP/1.1\r\n"))
      #expect(github.contains("authorization: Bearer \(scratch.secret)\r\n"))
      #expect(server.requests.last?.contains("authorization") == false)
    }
  }

  @Test func `a model is asked for one word, or it is said why it cannot be`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("model-list check claude-sonnet-4-6 --retries 0")
      let server = try await scratch.serveModels()
      try await scratch.shell("model-list check claude-sonnet-4-6")
      #expect(server.requests.count == 1)
      try scratch.expectGolden("model-list/check")
    }
  }

  @Test func `help and version are told`() async throws {
    try await Scratch.with { scratch in
      for verb in ["", "list", "add", "remove", "default", "refresh", "check"] {
        try await scratch.shell("model-list \(verb) --help")
      }
      try await scratch.shell("model-list --version")
      try scratch.expectGolden("model-list/help")
    }
  }
}
