import Core
import Foundation

/// The file of a thread of Codex.
public struct CodexThread {
  /// The number of bytes at the end of a file that are searched.
  private static let last: Int64 = 4 << 20
  /// The longest first line in bytes; it contains the instructions of the model.
  private static let longestMeta = 1 << 20

  private let path: String

  /// Creates the thread with the given file.
  public init(_ path: String) { self.path = path }

  /// Finds the file of the thread with the given id below the given folders; nil if there is none.
  init?(_ id: String, in roots: [String]) {
    let files = roots.lazy.flatMap { FileTree("\($0)/sessions").files }
    guard id.count == 36, let path = files.last(where: { $0.hasSuffix("-\(id).jsonl") }) else {
      return nil
    }
    self.path = path
  }

  /// `true` if a person uses the thread at a terminal, where Codex asks for permissions itself.
  public var isInteractive: Bool {
    guard let line = bytes(from: 0, atMost: Self.longestMeta)?.prefix(while: { $0 != 0x0A }) else {
      return false
    }
    let source = JSONObject(Array(line))?.object("payload")?.string("source")
    // Its own terminal serves threads as for an editor.
    return source == "cli" || source == "vscode"
  }

  /// Returns the tokens of all calls of the thread before the given time; nil if there are none.
  func usage(before end: Timestamp) -> Usage? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let start = max(0, Int64(status.st_size) - Self.last)
    let lines = bytes(from: start, atMost: Int(Self.last))?.split(separator: 0x0A) ?? []
    return lines.reversed().lazy.compactMap { line in
      guard let line = JSONObject(Array(line)), line.timestamp.map({ $0 < end }) ?? false,
        let payload = line.object("payload")
      else { return nil }
      let total =
        payload.object("thread_token_usage") ?? payload.object("info")?.object("total_token_usage")
      return total.flatMap { Usage(codex: $0, isSum: true) }
    }.first
  }

  private func bytes(from start: Int64, atMost most: Int) -> [UInt8]? {
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen, let status = file.status(), status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: min(most, Int(status.st_size)))
    let count = pread(file.number, &bytes, bytes.count, off_t(start))
    return count < 0 ? nil : Array(bytes.prefix(count))
  }
}
