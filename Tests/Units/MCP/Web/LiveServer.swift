import Foundation
import TestSupport

/// A server of PyPI's packages on a loopback port that it picks.
final class LiveServer: Sendable {
  /// The folder of the environment that has servers of both eras.
  static let both = Checkout.root.appending(path: ".build/venv-mcp").path
  /// The folder of the environment whose servers begin with a handshake.
  static let old = Checkout.root.appending(path: ".build/venv-mcp-old").path
  /// `true` if both environments are installed.
  static var areThere: Bool {
    [both, old].allSatisfy { access($0 + "/bin/python", X_OK) == 0 }
  }

  /// The address of the endpoint.
  let url: String
  private let server: PythonServer

  /// Starts a server of the given kind with the given options.
  init(_ words: String) throws {
    let words = words.split(separator: " ").map(String.init)
    let folder = words.first == "old" ? Self.old : Self.both
    server = try PythonServer(
      "mcp_web_server.py", words, python: folder + "/bin/python", logs: false)
    url = server.base + "/mcp"
  }
}
