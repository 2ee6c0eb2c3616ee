import Foundation
import TestSupport
import Testing

/// Published prices, short names and single models, by `model-list prices`, `alias` and `show`.
@Suite("model-list prices")
struct ModelPricesTests {
  /// Shows the stored prices without the days of this run.
  private static let stored =
    "sed -E 's/\"(asOf|from)\":\"[0-9-]+\"/\"\\1\":\"<day>\"/g' ../home/data/prices.ndjson"

  /// A table of one of Anthropic's models in the form of genai-prices.
  private static func table(_ input: String, _ output: String, more: String = "") -> String {
    #"[{"id":"anthropic","models":[{"id":"claude-example-1","match":{"equals":"claude-example-1"},"#
      + #""prices":{"input_mtok":\#(input),"output_mtok":\#(output),"cache_read_mtok":0.3}}\#(more)]},"#
      + #"{"id":"elsewhere","models":[]}]"#
  }

  private static let other =
    #",{"id":"claude-example-2","match":{"contains":"claude"},"prices":[{"prices":{"input_mtok":"#
    + #"{"base":1,"tiers":[{"start":200000,"price":2}]},"output_mtok":5}},"#
    + #"{"constraint":{"start_date":"2031-01-01"},"prices":{"input_mtok":2,"output_mtok":10}}]}"#

  @Test func `a table is read, its difference shown, and what is agreed to is stored`() async throws
  {
    try await Scratch.with { scratch in
      try scratch.write("work/first.json", Self.table("3", "15", more: Self.other))
      try await scratch.shell("model-list prices --from first.json")
      try await scratch.shell("ls ../home/data")
      try await scratch.shell("model-list prices --from first.json --yes --text")
      try await scratch.shell("model-list prices --from first.json --yes")
      try await scratch.shell(Self.stored)
      try scratch.write("work/second.json", Self.table("2", "12"))
      try await scratch.shell("model-list prices --from second.json --yes")
      try await scratch.shell(Self.stored + "; stat -c %a ../home/data/prices.ndjson")
      try await scratch.shell(
        "model-list show claude-example-1 | jq -c '[.inputPricePerMillion, .priceSource]'")
      try scratch.expectGolden("model-list/prices")
    }
  }

  @Test func `a tenfold move is stored only if it is accepted by name`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/first.json", Self.table("3", "15"))
      try await scratch.shell("model-list prices --from first.json --yes >/dev/null")
      try scratch.write("work/second.json", Self.table("30", "15", more: Self.other))
      try await scratch.shell("model-list prices --from second.json --yes")
      try await scratch.shell(Self.stored)
      try await scratch.shell("model-list prices --from second.json --accept claude-example-2")
      try await scratch.shell("model-list prices --from second.json --accept claude-example-1")
      try await scratch.shell("model-list prices --from second.json --yes")
      try scratch.expectGolden("model-list/prices-tenfold")
    }
  }

  @Test func `several runs do not add up to a tenfold move from the catalogue`() async throws {
    try await Scratch.with { scratch in
      // The catalogue has 3 and 15.
      for (index, prices) in [("0.5", "15"), ("0.1", "15"), ("0.02", "15")].enumerated() {
        let table = Self.table(prices.0, prices.1)
          .replacing("claude-example-1", with: "claude-sonnet-4-6")
        try scratch.write("work/\(index).json", table)
        try await scratch.shell("model-list prices --from \(index).json --yes")
      }
      try await scratch.shell("model-list show claude-sonnet-4-6 | jq .inputPricePerMillion")
      try await scratch.shell("model-list prices --from 1.json --accept claude-sonnet-4-6")
      try scratch.expectGolden("model-list/prices-in-steps")
    }
  }

  @Test func `a person is asked, and by name where a price moves tenfold`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/first.json", Self.table("3", "15"))
      try await scratch.shell("model-list prices --from first.json --yes >/dev/null")
      try scratch.write("work/second.json", Self.table("0.3", "15", more: Self.other))
      for (answers, status, count) in [
        (["no"], 77, 1), (["yes", "yes"], 77, 3), (["anthropic/claude-example-1"], 0, 3),
      ] {
        let terminal = try Terminal(
          scratch, "model-list prices --from second.json; echo status $?")
        for (index, answer) in answers.enumerated() {
          try await scratch.until("it asks") {
            terminal.text.components(separatedBy: "to continue: ").count == index + 2
          }
          terminal.type(answer)
        }
        try await scratch.until("it ended") { terminal.text.contains("status \(status)") }
        #expect(terminal.text.contains("3 → 0.3"))
        let lines = scratch.read("home/data/prices.ndjson").split(separator: "\n")
        #expect(lines.count == count, "\(answers)")
      }
    }
  }

  @Test func `a damaged table changes nothing, and the model at fault is named`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/good.json", Self.table("3", "15"))
      try await scratch.shell("model-list prices --from good.json --yes >/dev/null")
      let before = scratch.read("home/data/prices.ndjson")
      let tables = [
        Self.table("-1", "15"), Self.table("1e7", "15"), Self.table(#""3""#, "15"),
        Self.table("3", #"{"base":15,"tiers":[{"start":-1,"price":1}]}"#),
        Self.table("3", "15").replacing("claude-example-1", with: #"claude\u001b[2J"#),
        #"{"type":"price","provider":"openai","name":"gpt-x","from":"2026-02-30"}"#,
        "[]", "", "<!DOCTYPE html>",
      ]
      for (index, table) in tables.enumerated() {
        try scratch.write("work/\(index).json", table)
        try await scratch.shell("model-list prices --from \(index).json --yes")
      }
      try await scratch.shell("model-list prices --from missing.json --yes")
      try await scratch.shell("model-list prices --from . --yes")
      try await scratch.shell("head -c 17000000 /dev/zero >large; model-list prices --from large")
      #expect(scratch.read("home/data/prices.ndjson") == before)
      try scratch.expectGolden("model-list/prices-damaged")
    }
  }

  @Test func `a table is fetched, and no secret of its URL is shown or stored`() async throws {
    try await Scratch.with { scratch in
      let server = try LoopbackServer { request in
        let isThere = request.hasPrefix("GET /prices.json?key=")
        let body = isThere ? Self.table("3", "15") : "gone"
        return Reply(
          "HTTP/1.1 \(isThere ? "200 OK" : "404 Not Found")\nContent-Length: \(body.utf8.count)\n\n",
          body: Array(body.utf8))
      }
      let url = server.url("/prices.json?key=\(scratch.secret)")
        .replacing("//", with: "//user:\(scratch.secret)@")
      try await scratch.shell("model-list prices --from '\(url)' --yes")
      try await scratch.shell(Self.stored)
      for url in [
        server.url("/other"), "http://a.example/prices.json", "ftp://127.0.0.1/prices.json",
        "http://127.0.0.1.a.example/", "http://127.0.0.1@a.example/",
      ] {
        try await scratch.shell("model-list prices --from '\(url)' --yes")
      }
      try scratch.expectGolden("model-list/prices-fetched")
    }
  }

  @Test func `a file of prices that cannot be read is said to be unused, and is replaced`()
    async throws
  {
    try await Scratch.with { scratch in
      try scratch.write("work/table.json", Self.table("3", "15"))
      try scratch.write("home/data/prices.ndjson", "{\n")
      try await scratch.shell("model-list prices --from table.json --yes")
      try await scratch.shell(Self.stored)
      try scratch.expectGolden("model-list/prices-unreadable")
    }
  }

  @Test func `a short name is set, changed and removed, and nothing else is written anew`()
    async throws
  {
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/models.toml",
        """
        model = "mine"
        [models.mine]
        endpoint = "http://127.0.0.1:9/v1"
        contextTokens = 8192
        maxOutputTokens = 1024
        refuses = ["temperature"]
        efforts = ["low", "high"]
        effort = "low"
        catalogue = "openai/gpt-5.1"
        inputPricePerMillion = 1
        cacheWrite1hPricePerMillion = 2.5
        [[models.mine.bands]]
        aboveInputTokens = 4096
        outputPricePerMillion = 3

        """)
      chmod(scratch.path("home/config"), 0o700)
      try await scratch.shell("model-list alias fast mine")
      try await scratch.shell("model-list alias wise openai/gpt-unheard-of | jq -r .name")
      try await scratch.shell("model-list alias fast extractive | jq -r .name")
      try await scratch.shell("cat ../home/config/models.toml")
      try await scratch.shell("model-list show fast --text")
      try await scratch.shell("model-list alias fast --remove")
      try await scratch.shell("model-list alias fast --remove")
      try await scratch.shell("model-list show fast")
      try scratch.expectGolden("model-list/alias")
    }
  }

  @Test func `a short name means one thing`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/config.toml",
        "[aliases]\nours = \"extractive\"\n[models.mine]\nendpoint = \"http://127.0.0.1:9/v1\"\n")
      chmod(scratch.path("home/config"), 0o700)
      for arguments in [
        "openai extractive", "mine extractive", "extractive mine", "ours mine", "ours --remove",
        "a mystery", "a ours", "a openai", "a/b mine", "'' mine", "$'a\\e[2J' mine", "a",
        "a mine --remove",
      ] {
        try await scratch.shell("model-list alias \(arguments)")
      }
      try await scratch.shell("ls ../home/config")
      try scratch.expectGolden("model-list/alias-refused")
    }
  }

  @Test func `a model is shown as a record or as a card`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "model-list add mine --endpoint http://127.0.0.1:9/v1 --context 8192 --input-price 1"
          + " --output-price 2 >/dev/null")
      try await scratch.shell("model-list show mine")
      try await scratch.shell("model-list show mine --text")
      try await scratch.shell("model-list show openai/gpt-unheard-of --text")
      try await scratch.shell("model-list show mystery")
      try scratch.expectGolden("model-list/show")
      let terminal = try Terminal(scratch, "TERM=xterm NO_COLOR=1 model-list show mine; echo done")
      try await scratch.until("it ended") { terminal.text.contains("done") }
      #expect(terminal.text.contains("context       8.2k tokens\r\n"))
      #expect(terminal.text.contains("$/M TOKENS   IN  OUT\r\nany request   1    2\r\n"))
    }
  }

  @Test func `help is told`() async throws {
    try await Scratch.with { scratch in
      for verb in ["prices", "alias", "show"] {
        try await scratch.shell("model-list \(verb) --help")
      }
      try await scratch.shell("model-list prices")
      try scratch.expectGolden("model-list/prices-help")
    }
  }
}
