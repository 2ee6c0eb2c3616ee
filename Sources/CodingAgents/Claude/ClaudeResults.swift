import Core
import Foundation

/// The long results of tools, which Claude Code stores in a folder beside the session.
///
/// The transcript has only the beginning of such a result, and the name of its file. Only plain
/// files in the session's own folder are read, and no symbolic link is followed.
struct ClaudeResults {
  private static let folder = "tool-results"

  /// The folder of the session.
  private let session: String
  private let limits: SessionLimits

  /// Creates the results of the session of the given file.
  init(of file: TranscriptFile, _ limits: SessionLimits) {
    let aside = file.path.range(of: "/\(file.session.id)/subagents/", options: .backwards)
    let parent = aside.map { "\(file.path[..<$0.lowerBound])/\(file.session.id)" }
    session = parent ?? String(file.path.dropLast(6))
    self.limits = limits
  }

  /// Returns the given entry, with the stored text if it is a result whose text was stored.
  func complete(_ entry: SessionEntry) -> SessionEntry {
    guard limits.result > 0, case .result(var result) = entry.content,
      let name = Self.name(in: result.text), let text = text(in: name)
    else { return entry }
    var entry = entry
    result.text = text
    entry.content = .result(result)
    return entry
  }

  /// Returns the name of the file that the given text states; nil if it states none.
  private static func name(in text: String) -> String? {
    guard text.hasPrefix("<persisted-output>"), let start = text.range(of: "saved to: ") else {
      return nil
    }
    let path = text[start.upperBound...].prefix { !$0.isNewline }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).suffix(2)
    guard parts.count == 2, parts.first ?? "" == folder, let name = parts.last,
      !name.isEmpty, ![".", ".."].contains(name), !name.utf8.contains(0)
    else { return nil }
    return String(name)
  }

  private func text(in name: String) -> String? {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW
    let parent = Descriptor(open(session, flags | O_DIRECTORY))
    guard parent.isOpen else { return nil }
    let folder = Descriptor(openat(parent.number, Self.folder, flags | O_DIRECTORY))
    guard folder.isOpen else { return nil }
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    let file = Descriptor(openat(folder.number, name, flags | O_NONBLOCK))
    guard file.isOpen, let status = file.status(), status.st_mode & S_IFMT == S_IFREG,
      // A scalar has at most four bytes.
      let bytes = file.bytes(atMost: limits.result * 4 + 1)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.count > limits.result * 4 else {
      return limits.output(name.hasSuffix(".json") ? Self.texts(in: text) : text)
    }
    return String(text.unicodeScalars.prefix(limits.result))
      + "\n[The result was cut: its file has \(status.st_size) bytes; "
      + "\(limits.result) characters are shown.]"
  }

  /// Returns the texts of the given blocks; the given text itself if it contains none.
  private static func texts(in json: String) -> String {
    let texts = JSONObject("{\"content\":\(json)}")?.texts("content") ?? []
    return texts.isEmpty ? json : texts.joined(separator: "\n")
  }
}
