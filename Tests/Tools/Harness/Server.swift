import Foundation
import TestSupport

/// A server of `Tests/Support/Servers`, on a port of its own of 127.0.0.1.
final class Server: Sendable {
  struct DidNotStart: Error {}

  let scratch: Scratch
  let port: Int
  /// The port on which it takes mail; nil if it takes none.
  let mailPort: Int?
  let child: Child
  /// The log's name in the scratch place.
  private let log: String

  init(
    _ scratch: Scratch, _ script: String, _ arguments: [String], log: String,
    python: String = "python3"
  ) async throws {
    self.scratch = scratch
    self.log = log
    let input = try InputPipe()
    let place = "runs/\(script).\(UUID().uuidString)"
    let output = place + ".out"
    let child = try Child(
      [python, "\(Places.tests)/Support/Servers/\(script)", "--log", scratch.path(log)] + arguments,
      environment: Places.environment, folder: scratch.root,
      streams: [
        0: .descriptor(input.reading), 1: .append(scratch.path(output)),
        2: .append(scratch.path(place + ".err")),
      ])
    scratch.keep(child)
    // The server ends when this is closed, however the tests end.
    scratch.keep(input)
    try await scratch.until("\(script) is ready") { scratch.read(output).hasSuffix("\n") }
    guard let ready = Record.all(in: scratch.read(output)).first, let port = ready.number("port")
    else {
      throw DidNotStart()
    }
    mailPort = ready.number("smtp").map { Int($0) }
    self.port = Int(port)
    self.child = child
  }

  /// Returns the server's log, by the type of line.
  func log(_ type: String) -> [Record] {
    Record.all(in: scratch.read(log)).filter { $0.type == type }
  }

  /// The requests so far.
  var requests: [Record] { log("request") }

  /// Returns a URL of this server.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}

extension Scratch {
  /// Starts a model server and makes it the endpoint of Anthropic's and OpenAI's models, with the
  /// secret as the key of both.
  @discardableResult
  func serveModels(_ script: String = "[]", _ arguments: String...) async throws -> Server {
    let file = try write("given/script.json", script)
    let server = try await Server(
      self, "model_server.py", ["--script", file] + arguments, log: "model.log")
    set("ANTHROPIC_BASE_URL", server.url(""))
    set("OPENAI_BASE_URL", server.url("/v1"))
    set("ANTHROPIC_API_KEY", secret)
    set("OPENAI_API_KEY", secret)
    return server
  }

  /// Starts a server that misbehaves.
  func serveHostile(_ arguments: String...) async throws -> Server {
    try await Server(self, "hostile_server.py", arguments, log: "hostile.log")
  }

  /// Starts servers over TLS.
  func serveTLS() async throws -> Server {
    try await Server(self, "tls_server.py", [], log: "tls.log")
  }

  /// Starts a proxy of a port, which can be cut or stopped.
  func serveProxy(to port: Int, _ arguments: String...) async throws -> Server {
    try await Server(self, "tcp_proxy.py", ["--to", "\(port)"] + arguments, log: "proxy.log")
  }

  /// Starts a server of pages.
  func servePages(_ arguments: String...) async throws -> Server {
    try await Server(self, "page_server.py", arguments, log: "pages.log")
  }
}
