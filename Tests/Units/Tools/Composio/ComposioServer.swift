import Core
import Foundation
import HTTP
import Synchronization
import TestSupport

@testable import Tools

/// The tool router of Tests/Support/Servers, on a loopback port, and what a source needs to ask it.
final class ComposioServer: Sendable {
  /// The key that the server accepts.
  static let key = "composio-key-of-a-test"

  /// Its address, without a path.
  var base: String { server.base }
  let home: Home
  /// The waits before requests were sent again, in seconds.
  let waits = Mutex<[Double]>([])
  private let server: PythonServer

  /// Starts a server whose calls fail by a plan.
  init(_ plan: String = "{}", _ options: [String] = ["--connected"]) throws {
    home = try Home()
    server = try PythonServer(
      "composio_server.py", ["--key", Self.key, "--plan", plan] + options)
  }

  /// The requests so far, by name.
  var calls: [String] {
    server.log.split(separator: "\n").compactMap { line in
      guard let value = JSONValue(json: line.utf8), value["type"]?.text == "request" else {
        return nil
      }
      return value["call"]?.text ?? "?"
    }
  }

  /// The number of requests with the given name.
  func count(_ call: String) -> Int { calls.count { $0 == call } }

  /// Returns a router that notes its waits instead of waiting.
  func router(_ base: String? = nil, key: String = key, retries: Int? = nil) -> ComposioRouter {
    ComposioRouter(
      base: base ?? self.base, key: key, client: HTTPClient(), retries: retries,
      pause: { [self] seconds in waits.withLock { $0.append(seconds) } })
  }

  /// Returns a source with a router of this server.
  func source(
    _ router: ComposioRouter? = nil, user: String? = nil, toolkits: [String] = [],
    connect: ComposioSource.Connect? = nil
  ) -> ComposioSource {
    var settings = Settings.ComposioSettings()
    (settings.userId, settings.toolkits) = (user, toolkits)
    return ComposioSource(
      router ?? self.router(), settings, home.directories, connect: connect, report: { _ in })
  }

  /// Calls a tool of the given source.
  func call(
    _ source: ComposioSource? = nil, _ name: String = "GMAIL_SEND_EMAIL"
  ) async throws(Failure) -> SourceResult {
    try await (source ?? self.source()).call(
      ToolRecord(name: name, source: "composio", inputSchema: .object([:])),
      .object(["to": .string("a@example.org")]))
  }

  /// Returns the failure of a call.
  func failure(
    _ source: ComposioSource? = nil, _ name: String = "GMAIL_SEND_EMAIL"
  ) async -> Failure? {
    do throws(Failure) {
      _ = try await call(source, name)
      return nil
    } catch {
      return error
    }
  }

  /// Opens a page, as a person does.
  func open(_ page: String) async -> Bool {
    (try? await HTTPClient().collect(HTTPRequest(url: page)))?.head.status == 200
  }
}
