public import Core
import Foundation

/// A reader of a transcript that grows, which continues after the last whole line.
///
/// It may be stored between two reads, and continues later. It changes no file.
public struct TranscriptTail: Codable, Sendable {
  /// The largest size of a transcript that is one object, as old versions of Gemini CLI wrote it.
  private static let largestObject = 64 << 20
  /// The longest line in bytes; the content of a longer one is skipped.
  private static let longestLine = 64 << 20
  /// The number of bytes that are read at once.
  private static let piece = 1 << 18
  /// The largest number of sessions in one file; lines of further ones count as unreadable.
  private static let mostSessions = 100

  /// The file.
  public let file: TranscriptFile
  /// The position; nil before the first read.
  public private(set) var position: TranscriptPosition?
  private let limits: SessionLimits
  private var parser: AnyTranscript?
  /// `true` while the rest of a line that is too long is skipped.
  private var isSkipping = false
  /// The ids of the sessions whose entries were read.
  private var sessions: Set<String> = []
  /// `true` if the last read ended at its limit, so that lines are left.
  public private(set) var isBehind = false

  /// Creates a reader at the beginning of the given file.
  public init(_ file: TranscriptFile, limits: SessionLimits = .noText) {
    (self.file, self.limits) = (file, limits)
  }

  /// Reads the lines that were added since the last read, and not those that are added meanwhile.
  ///
  /// If the file was replaced or has become shorter, it is read from its beginning. Entries of one
  /// thing have the same id, so that the receiver can skip those that it has.
  ///
  /// - Parameters:
  ///   - interruption: Ends a long read; the position is then that of the last line.
  ///   - most: The number of bytes after which no further lines are read; see ``isBehind``.
  ///   - last: The number of bytes before the end at which the first read begins; nil for all.
  ///   - deliver: Receives the entries in order.
  /// - Throws: `NotFound` if the file does not exist; `PermissionDenied`, `StorageFailed` or
  ///   `BadInput` if it cannot be read, or if it is a symbolic link; `Interrupted`.
  public mutating func read(
    _ interruption: Interruption, atMost most: Int = .max, fromLast last: Int64? = nil,
    to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    let path = file.path
    let notPlain = Failure(.badInput, "'\(Visible.line(path))' is not a plain file", input: path)
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    let opened = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
    guard opened.isOpen else { throw errno == ELOOP ? notPlain : FileTree.failure(path) }
    guard let status = opened.status(), status.st_mode & S_IFMT == S_IFREG else { throw notPlain }
    isBehind = false
    if position?.continues(in: status) != true || parser == nil {
      position = TranscriptPosition(status)
      parser = AnyTranscript(file, limits: limits)
      (isSkipping, sessions) = (false, [])
      if let last, last < status.st_size {
        position?.offset = Int64(status.st_size) - last
        isSkipping = true
      }
    }
    guard !path.hasSuffix(".json") else { return try readWhole(status, to: deliver) }
    try readLines(opened.number, Int64(status.st_size), interruption, atMost: most, to: deliver)
  }

  // MARK: Lines

  private mutating func readLines(
    _ descriptor: Int32, _ size: Int64, _ interruption: Interruption, atMost most: Int,
    to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    var rest: [UInt8] = []
    let first = position?.offset ?? 0
    var offset = first
    var buffer = [UInt8](repeating: 0, count: Self.piece)
    while offset < size {
      if interruption.signal != nil { throw interruption.failure }
      // A line is read whole in any case.
      guard (position?.offset ?? 0) - first < most else {
        isBehind = true
        return
      }
      let count = pread(
        descriptor, &buffer, Int(min(Int64(Self.piece), size - offset)), off_t(offset))
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw FileTree.failure(file.path)
      }
      guard count > 0 else { return }
      offset += Int64(count)
      var begin = 0
      while let end = buffer[begin..<count].firstIndex(of: 0x0A) {
        rest += buffer[begin..<end]
        take(rest, to: deliver)
        position?.offset += Int64(rest.count + 1)
        rest.removeAll(keepingCapacity: true)
        begin = end + 1
      }
      rest += buffer[begin..<count]
      guard rest.count > Self.longestLine else { continue }
      // The line counts as read, so that its content need not fit into memory.
      position?.offset += Int64(rest.count)
      rest.removeAll()
      isSkipping = true
    }
  }

  private mutating func take(_ line: [UInt8], to deliver: ([SessionEntry]) -> Void) {
    guard !isSkipping else {
      isSkipping = false
      return deliver([SessionEntry(file.session, .unreadable, at: nil)])
    }
    let entries = parser?.entries(of: line) ?? []
    guard entries.allSatisfy({ admits($0.session.id) }) else {
      return deliver([SessionEntry(file.session, .unreadable, at: nil)])
    }
    if !entries.isEmpty { deliver(entries) }
  }

  private mutating func admits(_ session: String) -> Bool {
    sessions.count < Self.mostSessions && sessions.insert(session).inserted
      || sessions.contains(session)
  }

  // MARK: One object

  /// Reads a transcript that is one object, if it has another size than before.
  private mutating func readWhole(
    _ status: stat, to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    guard position?.offset != Int64(status.st_size) else { return }
    do throws(PlainFile.Problem) {
      let bytes = try PlainFile(file.path, atMost: Self.largestObject, followsLink: false).bytes
      var parser = AnyTranscript(file, limits: limits)
      let entries = parser?.entries(of: bytes) ?? []
      // An object that is being written is read again later.
      guard entries.map(\.content) != [.unreadable] else { return }
      position?.offset = Int64(bytes.count)
      deliver(entries)
    } catch {
      throw Failure(
        error.isDenied ? .permissionDenied : .badInput,
        "cannot read '\(Visible.line(file.path))': \(error.reason)", input: file.path)
    }
  }
}
