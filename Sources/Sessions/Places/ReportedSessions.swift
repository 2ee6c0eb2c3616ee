public import Core
import Foundation

/// The files that tell which sessions `agent-run` reports, and when.
///
/// A session has a file of its own, with a line for each run: the times of its beginning and its
/// end in milliseconds since 1970. While a run goes on, its end is moved on.
public struct ReportedSessions: Sendable {
  /// The time in which a run reports a session.
  public struct Span: Sendable, Hashable {
    /// The beginning of the run.
    public var from: Timestamp
    /// The end of the run, or the time until which it goes on unless it is killed.
    public var to: Timestamp

    /// Creates a time.
    public init(from: Timestamp, to: Timestamp) { (self.from, self.to) = (from, to) }

    /// Returns `true` if the given instant lies in this time.
    public func contains(_ instant: Timestamp) -> Bool { from <= instant && instant <= to }
  }

  /// The largest number of runs of a session that are remembered.
  private static let most = 100
  /// The time after which an unused file is removed, in seconds.
  private static let longest = 60.0 * 86_400

  private let folder: String

  /// Creates the files in the folder of states.
  public init(_ directories: Directories) { folder = directories.state + "/reported" }

  private func path(_ key: SessionKey) -> String {
    let name = "\(key.agent.rawValue)-\(key.id)"
    return "\(folder)/\(SHA256Digest.hexadecimal(Array(name.utf8)).prefix(32))"
  }

  /// Returns the times in which runs report the given session, the earliest first.
  public func spans(of key: SessionKey) -> [Span] {
    guard let file = try? PlainFile(path(key), atMost: 1 << 16) else { return [] }
    return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 2 else { return nil }
      return Span(
        from: Timestamp(milliseconds: numbers[0]), to: Timestamp(milliseconds: numbers[1]))
    }
  }

  /// Stores the time in which a run reports the given session, instead of an earlier one of the
  /// same run.
  ///
  /// A failure is ignored; the session may then be reported twice.
  public func store(_ span: Span, of key: SessionKey) {
    guard (try? Directories.make(folder)) != nil else { return }
    var spans = spans(of: key)
    if spans.isEmpty { removeOld() }
    spans.removeAll { $0.from == span.from }
    let lines = (spans + [span]).suffix(Self.most).map {
      "\($0.from.milliseconds) \($0.to.milliseconds)\n"
    }
    let path = path(key)
    let new = "\(path).\(getpid())"
    let file = Descriptor(open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600))
    guard file.isOpen, file.write(Array(lines.joined().utf8)), rename(new, path) == 0 else {
      unlink(new)
      return
    }
  }

  private func removeOld() {
    let now = Timestamp.now
    for path in FileTree(folder).files {
      guard let changed = FileTime.changed(path), now.seconds(since: changed) > Self.longest else {
        continue
      }
      unlink(path)
    }
  }
}
