import Foundation
import TestSupport
import Testing

@testable import Core

struct FailureTests {
  /// The table of the design, by exit status.
  private static let table: [(exit: Int32, codes: String)] = [
    (64, "BadUsage"), (65, "BadInput"), (66, "NotFound"),
    (
      69,
      """
      NetworkUnavailable Timeout ServerError InvalidResponse StreamInterrupted SSHHostUnreachable \
      TmuxNotFound TmuxSessionNotFound TerminalInitFailed AgentUnreachable
      """
    ),
    (1, "NoPlan ModelRefused PageRefused ToolFailed UserRejected Conflict"),
    (75, "NotAnswered Busy BudgetExceeded Paused RateLimited Overloaded"), (76, "ProtocolMismatch"),
    (
      77,
      """
      MissingAPIKey QuotaExhausted AuthExpired PermissionDenied PairingCodeInvalid \
      PairingCodeExpired DeviceRevoked ClockSkew SSHAuthFailed SSHSecondFactor KeyUnreadable \
      SSHHostKeyMismatch
      """
    ), (78, "BadConfiguration"), (74, "StorageFailed"), (130, "Interrupted"),
  ]

  @Test func `every code has the exit status of the table`() {
    var seen = Set<String>()
    for row in Self.table {
      for name in row.codes.split(separator: " ").map(String.init) {
        #expect(FailureCode(rawValue: name)?.exitStatus == row.exit, "\(name)")
        seen.insert(name)
      }
    }
    #expect(seen == Set(FailureCode.allCases.map(\.rawValue)))
  }

  @Test func `a few kinds have a row of their own`() throws {
    let failures = [
      Failure(.timeout, "x"), Failure(.timeout, "x", kind: .tooSlow),
      Failure(.timeout, "x", kind: .wait), Failure(.timeout, "x", kind: .idle),
      Failure(.timeout, "x", kind: .total), Failure(.notFound, "x", kind: .total),
    ]
    #expect(failures.map(\.exitStatus) == [69, 69, 75, 124, 124, 66])
    #expect(FailureCode.timeout.exitStatuses == [69, 75, 124])
    #expect(FailureCode.notFound.exitStatuses == [66])
    for failure in failures.prefix(5) {
      let again = try ErrorRecord(RawRecord(line: ErrorRecord(failure, tool: "t").line()))
      #expect(again.failure == failure)
      #expect(again.failure.action == failure.action && failure.nextStep == nil)
    }
  }

  @Test(arguments: FailureCode.allCases)
  func `every code has a title and an action`(code: FailureCode) {
    #expect(!code.title.isEmpty && !code.title.hasSuffix("."))
    #expect(!code.action.isEmpty && !code.action.hasSuffix("."))
    #expect(code.suggestedAction != .retry || code.isRetryable)
  }

  @Test(arguments: FailureCode.allCases)
  func `every failure survives as a record`(code: FailureCode) throws {
    let failure = Failure(
      code, "cannot read 'x'", kind: "aKind", retryAfterSeconds: 1.5, status: 429,
      url: "https://example.com/a", input: "<stdin>:3", cause: "reset",
      nextStep: "wait for it")
    let line = try ErrorRecord(failure, tool: "web-fetch").line()
    let raw = try RawRecord(line: line)
    let again = try ErrorRecord(raw)
    #expect(again.failure == failure)
    #expect(again.tool == "web-fetch")
    for name in ["title", "action", "suggestedAction", "category"] {
      #expect(raw.string(name)?.isEmpty == false)
    }
    #expect(raw.contains("retryable"))
  }

  @Test func `a failure of a newer version is still a failure`() throws {
    let line = #"{"type":"error","code":"NewCode","explanation":"it broke"}"#
    let record = try ErrorRecord(try RawRecord(line: Array(line.utf8)))
    #expect(record.failure.explanation == "it broke")
  }

  @Test func `the first place that is named stays`() {
    let failure = Failure(.badInput, "x").at("<stdin>:1").at("<stdin>:2")
    #expect(failure.input == "<stdin>:1")
  }
}

struct VisibleTests {
  @Test(arguments: [
    ("plain é 💡", "plain é 💡"), ("\u{1B}[31mred", "<U+001B>[31mred"), ("a\u{7}b", "a<U+0007>b"),
    ("\u{202E}abc", "<U+202E>abc"), ("a\u{200B}b", "a<U+200B>b"), ("\u{9B}1m", "<U+009B>1m"),
    ("a\u{2028}b", "a<U+2028>b"), ("\u{E0041}", "<U+E0041>"), ("क\u{200D}ष", "क\u{200D}ष"),
    ("a\nb", "a<U+000A>b"), ("\r\n", "<U+000D><U+000A>"),
  ])
  func `what a terminal would obey is shown`(text: String, shown: String) {
    #expect(Visible.text(text) == shown)
  }

  @Test func `lines and tabs stay when they are wanted, carriage returns never`() {
    #expect(Visible.text("a\n\tb\rc", keepingLines: true) == "a\n\tb<U+000D>c")
    #expect(Visible.text("a\r\nb", keepingLines: true) == "a<U+000D>\nb")
  }

  @Test func `a line is one line`() {
    #expect(Visible.line("  a \n\n b\t\u{1B}c ") == "a b <U+001B>c")
    for text in ["a b", " a b", "a  b", "a b ", "a\tb", "a\u{A0}b", "a\u{2003} b"] {
      #expect(Visible.line(text) == "a b")
    }
    #expect(Visible.line("") == "")
    #expect(Visible.line("  ") == "")
    // A joiner stays, although it is one character with the space before it.
    #expect(Visible.line("a \u{200D}b\r\n\u{200C}c") == "a \u{200D}b \u{200C}c")
  }

  @Test func `no text of any characters holds one that is hidden`() {
    var random = SeededRandom(seed: 8)
    for _ in 0..<2000 {
      let shown = Visible.text(random.text())
      #expect(Visible.text(shown) == shown)
      #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}

struct SecretsTests {
  @Test func `a secret is taken out of a text wherever it stands`() {
    let secret = "sk-test-" + Identifier.make()
    Secrets.register(secret)
    #expect(
      Secrets.redacted("key=\(secret), again \(secret)") == "key=[redacted], again [redacted]")
    #expect(Secrets.redacted(secret) == "[redacted]")
    #expect(Secrets.redacted("nothing here") == "nothing here")
  }

  @Test func `a secret that holds another leaves nothing behind`() {
    let start = "sk-part-" + Identifier.make()
    var secrets = [start]
    for letter in "abcdefgh" { secrets.append((secrets.last ?? "") + "-\(letter)tail") }
    for secret in secrets { Secrets.register(secret) }
    for secret in secrets { #expect(Secrets.redacted("<\(secret)>") == "<[redacted]>") }
  }

  @Test func `a failure's record and its place show no secret`() throws {
    let secret = "sk-fail-" + Identifier.make()
    Secrets.register(secret)
    let failure = Failure(
      .serverError, "it said '\(secret)'", url: "https://x/?k=\(secret)",
      input: secret, cause: secret)
    let line = try ErrorRecord(failure, tool: "t").json()
    #expect(!line.contains(secret))
    let stage = Stage(id: "1", pipelineId: "2", position: 0, role: .producer, task: "t").with {
      $0.sources = [Source(url: "https://x", error: failure)]
      $0.error = failure
    }
    #expect(try !stage.json().contains(secret))
  }

  @Test func `a short word is no secret`() {
    Secrets.register("the")
    #expect(Secrets.redacted("the end") == "the end")
  }
}
