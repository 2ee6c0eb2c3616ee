import Core
public import Foundation

/// A program of Tests/Support/Servers on a loopback port that it picks.
///
/// It ends when this is released.
/// It holds no descriptor of the test program: Foundation waits for the end of a process until
/// every copy of a socket is closed, which a server inherits if both start at the same time.
public final class PythonServer: Sendable {
  /// Its address, without a path.
  public let base: String
  /// The folder of its log, which goes with it.
  public let folder: URL
  private let child: Child
  private let input: InputPipe

  /// Starts a program with the options, and with `--log` and the path of its log unless `logs` is
  /// false, and waits for the line that names its port.
  public init(
    _ name: String, _ options: [String], python: String = "python3", logs: Bool = true
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    input = try InputPipe()
    let output = Pipe()
    let errors = folder.path + "/errors"
    let log = logs ? ["--log", folder.path + "/log"] : []
    child = try Child(
      [python, Checkout.root.path + "/Tests/Support/Servers/\(name)"] + log + options,
      environment: ProcessInfo.processInfo.environment, folder: folder.path,
      streams: [
        0: .descriptor(input.reading),
        1: .descriptor(output.fileHandleForWriting.fileDescriptor), 2: .append(errors),
      ])
    try output.fileHandleForWriting.close()
    var line = Data()
    while line.last != 0x0A {
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      line += bytes
    }
    guard let port = JSONObject(Array(line))?.integer("port") else {
      let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw Child.CannotStart(description: "\(name) names no port: \(said)")
    }
    base = "http://127.0.0.1:\(port)"
  }

  deinit {
    child.signal(SIGTERM)
    try? FileManager.default.removeItem(at: folder)
  }

  /// The lines of its log.
  public var log: String {
    (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
  }
}
