import Foundation
import TestSupport
import Testing

/// Programs of a pipeline that write to the same terminal.
@Suite("a terminal that several programs share")
struct SharedTerminalTests {
  /// Runs a test with a terminal of 120 columns.
  private static func with(_ body: (Scratch) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      try await scratch.withTmux {
        try await scratch.makeSession("t", columns: 120, lines: 40)
        try scratch.type("cd '\(scratch.path("work"))'; clear", into: "t")
        try await body(scratch)
      }
    }
  }

  private static func lines(_ scratch: Scratch) throws -> [String] {
    try scratch.screen("t").split(separator: "\n").map(String.init)
  }

  @Test func `progress ends with the first record that another program reads`() async throws {
    try await Self.with { scratch in
      let pages = try await scratch.servePages()
      let held = pages.url("/hold?file=\(scratch.path("work/go"))")
      try scratch.write(
        "work/fetch",
        "web-fetch --allow-private --no-robots \(pages.url("/page/1")) '\(held)'"
          + " | export-md --into out\necho over\n")
      try scratch.type("bash fetch", into: "t")
      try await scratch.until("the first file is there") {
        try Self.lines(scratch).contains { $0.contains("out/") }
      }
      let first = try Self.lines(scratch)
      #expect(first.count == 2)
      #expect(first.last?.hasPrefix("created") == true, "\(first)")
      try scratch.write("work/go", "")
      try await scratch.until("it is over") { try Self.lines(scratch).contains("over") }
      let last = try Self.lines(scratch).dropFirst().prefix { $0 != "over" }
      #expect(last.count == 2)
      #expect(last.allSatisfy { $0.hasPrefix("created") }, "\(last)")
    }
  }

  @Test func `a message begins at the start of a line, whatever stands before it`() async throws {
    try await Self.with { scratch in
      try scratch.write(
        "work/half",
        """
        printf 'half a line'
        key-store get nothing
        printf 'and another'
        key-store --bogus
        echo over

        """)
      try scratch.type("bash half 2>&1", into: "t")
      try await scratch.until("it is over") { try Self.lines(scratch).contains("over") }
      let shown = try Self.lines(scratch).dropFirst().map { $0.prefix { $0 != ":" } }
      #expect(
        shown.prefix(6).map(String.init) == [
          "half a line", "key-store", "and another", "key-store", "key-store", "over",
        ])
    }
  }

  @Test func `a code that is drawn begins at the start of a line`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await ScreenTerminal.with(scratch, columns: 110, lines: 40) { terminal in
        try terminal.type("clear; printf 'half a line'; pair start --ascii")
        try await scratch.until("it waits") {
          try terminal.shown().contains { $0.hasSuffix(" s left") }
        }
        #expect(try terminal.shown().contains { $0.hasPrefix("half a line") && !$0.contains("#") })
      }
    }
  }
}
