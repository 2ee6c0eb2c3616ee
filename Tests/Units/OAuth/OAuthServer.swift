import Core
import Foundation
import HTTP
import Synchronization
import TestSupport

/// A server of Tests/Support/Servers on a loopback port: a protected resource, and the
/// authorization server that it names.
final class OAuthServer: Sendable {
  /// The Python that has fastmcp; nil if scripts/test has not installed it.
  static let fastMCP: String? = {
    let path = Checkout.root.path + "/.build/venv-mcp/bin/python"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  /// Its address, without a path.
  var base: String { server.base }
  let client = HTTPClient()
  private let server: PythonServer

  /// Starts the server that behaves as the given JSON object says.
  convenience init(_ behaviour: String = "{}") throws {
    try self.init("python3", "oauth_server.py", ["--behave", behaviour])
  }

  /// Starts a program of Tests/Support/Servers.
  init(_ python: String, _ name: String, _ options: [String]) throws {
    server = try PythonServer(name, options, python: python)
  }

  /// The URL of the resource.
  var resource: String { base + "/mcp" }

  /// Returns the requests to the given path, as the log has them.
  func requests(_ path: String) -> [JSONObject] {
    server.log.split(separator: "\n").compactMap { JSONObject(String($0)) }.filter {
      ($0.string("type") ?? "request") == "request"
        && $0.string("path")?.split(separator: "?").first.map(String.init) == path
    }
  }

  /// Returns the parameters of the requests to the given path.
  func forms(_ path: String) -> [JSONObject] { requests(path).compactMap { $0.object("form") } }

  /// Changes the server's behaviour.
  func control(_ behaviour: String) async throws {
    let answer = try await client.collect(
      HTTPRequest(
        url: base + "/control", method: "POST",
        fields: [HTTPField("content-type", "application/json")], body: Array(behaviour.utf8)))
    guard answer.head.status == 200 else { throw Failure(.serverError, "no control") }
  }
}
