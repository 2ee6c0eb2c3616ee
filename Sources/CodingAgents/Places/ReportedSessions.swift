public import Core
import Foundation

/// The files that tell which sessions `agent-run` reports, and when.
///
/// A session has a folder of its own, with a file for each run: the times of its beginning and its
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

  private func folder(of key: SessionKey) -> String {
    let name = "\(key.agent.rawValue)-\(key.id)"
    return "\(folder)/\(SHA256Digest.hexadecimal(Array(name.utf8)).prefix(32))"
  }

  /// Returns the times in which runs report the given session, the earliest first.
  public func spans(of key: SessionKey) -> [Span] {
    let folder = folder(of: key)
    return Self.runs(in: folder).suffix(Self.most).compactMap { name in
      guard let file = try? PlainFile("\(folder)/\(name)", atMost: 64) else { return nil }
      let numbers = String(decoding: file.bytes, as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
      guard numbers.count == 2 else { return nil }
      return Span(
        from: Timestamp(milliseconds: numbers[0]), to: Timestamp(milliseconds: numbers[1]))
    }
  }

  /// Returns the names of the files of runs in the given folder, the earliest first.
  private static func runs(in folder: String) -> [String] {
    guard let names = Descriptor.names(in: folder) else { return [] }
    // Files that are being written have other names.
    let runs = names.compactMap { name -> (from: Int64, name: String)? in
      let numbers = name.split(separator: "-").compactMap { Int64($0) }
      return numbers.count == 2 ? (numbers[0], name) : nil
    }
    return runs.sorted { ($0.from, $0.name) < ($1.from, $1.name) }.map(\.name)
  }

  /// Stores the time in which this process reports the given session, instead of an earlier one of
  /// the same run.
  ///
  /// A failure is ignored; the session may then be reported twice.
  public func store(_ span: Span, of key: SessionKey) {
    let folder = folder(of: key)
    let earlier = Self.runs(in: folder)
    if earlier.isEmpty { removeOld() }
    guard (try? Directories.make(folder)) != nil else { return }
    let (from, to) = (span.from.milliseconds, span.to.milliseconds)
    // Other processes report the session too, so that each writes a file of its own.
    let path = "\(folder)/\(from)-\(getpid())"
    let new = path + ".new"
    let file = Descriptor(open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600))
    guard file.isOpen, file.write(Array("\(from) \(to)\n".utf8)), rename(new, path) == 0 else {
      unlink(new)
      return
    }
    for name in earlier.dropLast(Self.most) { unlink("\(folder)/\(name)") }
  }

  private func removeOld() {
    let now = Timestamp.now
    for path in FileTree(folder).files {
      guard let changed = FileTime.changed(path), now.seconds(since: changed) > Self.longest else {
        continue
      }
      unlink(path)
      // Folders with other files remain.
      rmdir((path as NSString).deletingLastPathComponent)
    }
  }
}
