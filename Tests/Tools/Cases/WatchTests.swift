import Foundation
import Testing

/// What a person who watches sees, whatever happens to the terminal.
@Suite("watching on a terminal")
struct WatchTests {
  /// So many agents that are done, in one run of a program.
  private func fill(_ scratch: Scratch, _ count: Int) async throws {
    try await scratch.shell(
      "for i in $(seq 10 \(9 + count)); do agent-run --agent worker-$i --swarm s -- true; done")
  }

  @Test func `a list is moved through, and its headings stay`() async throws {
    try await Scratch.with { scratch in
      try await fill(scratch, 12)
      try await ScreenTerminal.with(scratch, columns: 80, lines: 8) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type("clear; agent-stat agents --watch; echo over")
        try await scratch.until("it shows the first") {
          let shown = try terminal.shown()
          return shown[0].hasPrefix("AGENT") && shown[1].hasPrefix("worker-21")
            && shown[7] == "1-6 of 12  j and k move, q ends"
        }
        try terminal.press("j")
        try await scratch.until("it has moved") {
          let shown = try terminal.shown()
          return shown[0].hasPrefix("AGENT") && shown[1].hasPrefix("worker-20")
        }
        try terminal.press("G")
        try await scratch.until("it shows the last") {
          let shown = try terminal.shown()
          return shown[6].hasPrefix("worker-10") && shown[7].hasPrefix("7-12 of 12")
        }
        try terminal.press("q")
        try await terminal.until("over")
      }
    }
  }

  @Test func `what is open goes on, and takes the width that the terminal has now`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent linter --swarm s -- sh -c 'echo \"ERROR x\"'")
      try await ScreenTerminal.with(scratch, columns: 110, lines: 24) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type("clear; agent-stat --watch; echo over")
        try await scratch.until("it shows the incident") {
          try terminal.shown().contains { $0.hasPrefix("> error") }
        }
        try terminal.press("Enter")
        try await scratch.until("it is open") {
          try terminal.shown().contains { $0.hasPrefix("q back") }
        }
        let words = (0..<7).map { "word\($0)" }.joined(separator: " ")
        try await scratch.shell(
          "agent-run --agent linter --swarm s -- sh -c 'echo \"ERROR \(words)\"' >/dev/null")
        try await scratch.until("what came is told") {
          try terminal.shown().contains { $0.contains("word0") && $0.hasSuffix("word6") }
        }
        try terminal.resize(columns: 70, lines: 24)
        try await scratch.until("it is told in the width there is") {
          try terminal.shown().contains { $0.contains("word0") && $0.hasSuffix("…") }
            && terminal.shown().last { !$0.isEmpty }?.hasPrefix("q back") == true
        }
        try terminal.press("q")
        try terminal.press("q")
        try await terminal.until("over")
      }
    }
  }

  @Test func `who was stopped from outside draws all again when it goes on`() async throws {
    try await Scratch.with { scratch in
      try await ScreenTerminal.with(scratch, columns: 80, lines: 10) { terminal in
        try terminal.type("cd '\(scratch.root)/work'; set -m")
        try terminal.type("clear; sh -c 'echo $$ >pid; exec agent-stat --watch'; echo over")
        try await scratch.until("it watches") {
          try terminal.shown().contains { $0.contains("nothing needs you") }
        }
        try await scratch.shell("kill -STOP $(cat pid)")
        try await scratch.until("the shell has the terminal") {
          try terminal.shown().contains { $0.contains("Stopped") }
        }
        try terminal.type("fg; echo over")
        try await scratch.until("it is as it was, and nothing of the shell is left") {
          let shown = try terminal.shown()
          return shown[0].contains("nothing needs you") && shown[9].hasPrefix("? help")
            && shown[1..<9].allSatisfy { $0.isEmpty || $0 == "  No agent is running." }
        }
        try terminal.press("?")
        try await scratch.until("it takes keys") {
          try terminal.shown().contains { $0.contains("choose a row") }
        }
        try terminal.press("q")
        try terminal.press("q")
        try await terminal.until("over")
      }
    }
  }

  @Test func `a terminal that cannot be drawn on is told of, and has the list`() async throws {
    try await Scratch.with { scratch in
      try await fill(scratch, 1)
      try await ScreenTerminal.with(scratch, columns: 100, lines: 24) { terminal in
        let before = try terminal.modes()
        try terminal.type("cd '\(scratch.root)/work'")
        for (command, end) in [("agents --watch", "one"), ("--watch", "two")] {
          try terminal.type("clear; TERM=dumb agent-stat \(command); echo \(end)")
          try await terminal.until(end)
          let shown = try terminal.shown().filter { !$0.isEmpty }
          #expect(shown.contains { $0.contains("TERM=dumb: showing") })
          #expect(shown.contains { $0.contains(command == "--watch" ? "context" : "worker-10") })
          #expect(try terminal.modes() == before)
        }
      }
    }
  }
}
