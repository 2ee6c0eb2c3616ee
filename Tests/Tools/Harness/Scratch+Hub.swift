import Foundation
import Testing

extension Scratch {
  /// Runs a test with a listening hub: `HUB` is its URL, `TOKEN` its operator's token, `AUTH` the
  /// header field with it.
  static func withHub(
    preparing prepare: (Scratch) async throws -> Void = { _ in },
    _ body: (Scratch, Running) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      try await prepare(scratch)
      let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:0", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let words = hub.errors.split(whereSeparator: \.isWhitespace)
      scratch.set("HUB", String(words.last { $0.hasPrefix("http") } ?? ""))
      let token = scratch.read("home/data/hub.token").trimmingCharacters(in: .newlines)
      scratch.set("TOKEN", token)
      scratch.set("AUTH", "Authorization: Bearer \(token)")
      try await body(scratch, hub)
    }
  }

  /// The port of the hub.
  var hubPort: Int { Int(environment["HUB"]?.split(separator: ":").last ?? "") ?? 0 }

  /// Moves the tools that follow to another machine, which is registered at the hub: they have
  /// another home, and reach the hub only by its URL.
  func leaveForAnotherMachine() async throws {
    try await shell(
      "CODE=$(hub-serve register-code | jq -r .code) && AGENTPIPES_HOME=\(path("other")) pair register $HUB --code $CODE --name laptop | jq -r .name"
    )
    set("AGENTPIPES_HOME", path("other"))
  }
}
