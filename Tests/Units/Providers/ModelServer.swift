import Foundation
import TestSupport

/// The scripted model provider of Tests/Support/Servers, on a loopback port.
final class ModelServer: Sendable {
  /// Its address, without a path.
  var base: String { server.base }
  private let server: PythonServer

  /// Starts a server that behaves by a JSON array of behaviours.
  init(script: String, options: [String] = []) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(script.utf8).write(to: file)
    // The server has read it before it names its port.
    defer { try? FileManager.default.removeItem(at: file) }
    server = try PythonServer("model_server.py", ["--script", file.path] + options)
  }

  /// The lines of its log.
  var log: String { server.log }
}
