import Core
import Foundation
import TestSupport

@testable import Providers

/// The scripted model provider of Tests/Support/Servers, on a loopback port.
final class ModelServer: Sendable {
  /// Its address, without a path.
  let base: String
  private let process = Process()
  private let input = Pipe()
  private let folder: URL

  /// Starts a server that behaves by a JSON array of behaviours.
  init(script: String, options: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "script.json")
    try Data(script.utf8).write(to: file)
    let server = Checkout.root.appending(path: "Tests/Support/Servers/model_server.py")
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["python3", server.path, "--script", file.path, "--log", folder.path + "/log"] + options
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != 0x0A {
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      line += bytes
    }
    let port = JSONObject(Array(line))?.integer("port") ?? 0
    base = "http://127.0.0.1:\(port)"
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The lines of its log.
  var log: String {
    (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
  }
}
