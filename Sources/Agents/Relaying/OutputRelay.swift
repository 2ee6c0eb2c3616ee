import Core
import Foundation
import Processes
import Synchronization

/// A relay that passes on one of the command's streams and emits its lines.
///
/// One thread passes the bytes on unchanged and at once. It waits only for the stream's reader, as
/// the command itself would. Another thread cuts the bytes into lines and emits them at low
/// priority. If the reader closes the stream, the command receives SIGPIPE.
final class OutputRelay: Sendable {
  /// A part of the stream.
  enum Piece: Sendable {
    /// Lines that arrived together.
    case lines([LineCutter.Line])
    /// The number of lines that were lost.
    case lost(Int)
  }

  /// The descriptor that is given to the command as its stream.
  let given: Int32
  /// The changes that the output makes to our terminal; nil if our stream is not a terminal.
  let terminal: TerminalMemory?
  private let source: Int32
  private let target: Int32
  private let end = Interruption()
  private let backlog = LineBacklog()
  private let report: @Sendable (Failure) -> Void
  private let failure = Mutex<Failure?>(nil)
  private let readerHasGone = Mutex(false)
  private let activity = Mutex(Activity())

  /// The time of the last output, and `true` while it waits for our stream's reader.
  private struct Activity {
    var time: ContinuousClock.Instant?
    var isWriting = false
  }

  /// The limits for a background process that still writes after the command has ended.
  ///
  /// Its output is abandoned after this many bytes, or after this many milliseconds of silence.
  private static let rest = (bytes: 1 << 20, milliseconds: Int32(50))
  /// The time for which bytes of a flood are gathered before they are passed on, in microseconds.
  ///
  /// It is too short to fill our pipe.
  private static let gathering: UInt32 = 100
  /// The size of our pipe in bytes.
  ///
  /// It is small, so that the command soon notices a slow reader.
  private static let pipeSize: Int32 = 256 << 10

  /// Creates a relay to our stream.
  ///
  /// The command gets a pseudo-terminal if our stream is a terminal, and a pipe otherwise.
  ///
  /// - Parameters:
  ///   - target: The descriptor of our stream.
  ///   - report: A closure that receives the reason as soon as the stream cannot be passed on.
  /// - Throws: `TerminalInitFailed` if no pseudo-terminal can be opened; `StorageFailed` if no pipe
  ///   can be created.
  init(
    to target: Int32, report: @escaping @Sendable (Failure) -> Void
  ) throws(Failure) {
    self.target = target
    self.report = report
    terminal = TerminalMemory.of(target)
    if terminal != nil {
      let terminal = try PseudoTerminal(like: target)
      (source, given) = (terminal.controller, terminal.terminal)
    } else {
      (source, given) = try PipeEnds().release()
      // For a user with very many pipes, the pipe has the default size.
      ThisProcess.setCapacity(ofPipe: given, to: Self.pipeSize)
    }
    // Only our end is non-blocking, so that available bytes are read without poll.
    _ = fcntl(source, F_SETFL, O_NONBLOCK)
  }

  /// `true` if our stream is a terminal.
  ///
  /// The command's stream is then a terminal, too.
  var isTerminal: Bool { terminal != nil }

  /// The reason why the stream could not be passed on.
  ///
  /// It is nil if there is no such failure, or if the reader closed the stream.
  var fault: Failure? { failure.withLock { $0 } }

  /// `true` if the reader has closed the stream.
  var isUnread: Bool { readerHasGone.withLock { $0 } }

  /// The time of the last output; nil if there was none.
  ///
  /// While output waits for our stream's reader, this is the current time.
  var lastActivity: ContinuousClock.Instant? {
    activity.withLock { $0.isWriting ? .now : $0.time }
  }

  /// Starts the relay, after the command was given its end of the stream.
  ///
  /// - Parameters:
  ///   - holdsRecords: `true` if the stream may contain records. These are dropped last.
  ///   - handle: A closure that receives each part of the stream.
  ///   - finish: A closure that is called after the last part, when all bytes were passed on.
  func start(
    holdingRecords holdsRecords: Bool, _ handle: @escaping @Sendable (Piece) -> Void,
    finish: @escaping @Sendable () -> Void
  ) {
    close(given)
    Thread.detachNewThread { [self] in
      pass(RecordFinder(isNeeded: holdsRecords))
      close(source)
      backlog.end()
    }
    Thread.detachNewThread { [self] in
      // The command, and the thread that passes its output on, have priority.
      ThisProcess.useLowPriority()
      cutLines(for: handle)
      finish()
    }
  }

  /// Makes the relay pass on the buffered bytes, and then end.
  func commandHasEnded() { end.fire(signal: SIGTERM) }

  /// Copies the size of our terminal to the command's terminal.
  ///
  /// - Returns: `true` if the size changed.
  func copySize() -> Bool { isTerminal && PseudoTerminal.copySize(from: target, to: source) }

  // MARK: Passing on

  private func pass(_ finder: RecordFinder) {
    var finder = finder
    var left = Self.rest.bytes
    while left > 0 {
      var bytes = backlog.room()
      let count = bytes.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
      if count > 0 {
        activity.withLock { $0 = Activity(time: $0.time, isWriting: true) }
        let isWritten = bytes.withUnsafeBytes {
          write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
        activity.withLock { $0 = Activity(time: .now, isWriting: false) }
        guard isWritten else { return }
        let holdsRecords = bytes.withUnsafeBytes { finder.holdsRecords($0.prefix(count)) }
        backlog.add(bytes, count: count, holdsRecords: holdsRecords)
        if end.signal != nil { left -= count }
        continue
      }
      // If the other end of a terminal is closed, read fails with EIO.
      guard count < 0, errno == EINTR || errno == EAGAIN else { return }
      backlog.recycle(bytes)
      if end.signal != nil {
        guard Self.isReadable(source, within: Self.rest.milliseconds) else { return }
      } else {
        // After the command has ended, this does not wait.
        _ = try? end.isReadable(source)
        // Reading each small piece of a flood would be slower, so it is gathered meanwhile.
        if backlog.isFlooded { usleep(Self.gathering) }
      }
    }
  }

  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&wanted, 1, milliseconds) < 0, errno == EINTR {}
    return wanted.revents != 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    terminal?.willWrite(bytes)
    var done = 0
    while done < bytes.count {
      let count = Foundation.write(target, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count >= 0 {
        done += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wanted = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
        // The result of poll does not matter: the next write reports any error.
        _ = poll(&wanted, 1, -1)
      case EPIPE: return stop(nil)
      case EIO where isTerminal: return stop(nil)
      case let code:
        return stop(
          Failure(
            .storageFailed,
            "cannot write the command's output: \(String(cString: strerror(code)))"
          ))
      }
    }
    terminal?.hasWritten()
    return true
  }

  private func stop(_ fault: Failure?) -> Bool {
    if let fault {
      failure.withLock { $0 = fault }
      report(fault)
    } else {
      readerHasGone.withLock { $0 = true }
    }
    return false
  }

  // MARK: Emitting lines

  /// The maximum number of lines that are emitted at once.
  private static let slice = 500

  private func cutLines(for handle: (Piece) -> Void) {
    var cutter = LineCutter()
    while true {
      var lines: [LineCutter.Line] = []
      var isOver = false
      switch backlog.next() {
      case .bytes(let bytes, let count, let lost):
        bytes.withUnsafeBytes {
          cutter.cut(UnsafeRawBufferPointer(rebasing: $0[..<count])) { lines.append($0) }
        }
        backlog.recycle(bytes)
        cutter.count(lost: lost)
      case .gap(let count, let endsLine):
        cutter.lose(lines: count, endsLine: endsLine)
      case .end:
        cutter.end { lines.append($0) }
        isOver = true
      }
      if cutter.lost > 0 { handle(.lost(cutter.removeLost())) }
      var rest = lines[...]
      while !rest.isEmpty {
        let part = rest.prefix(Self.slice)
        handle(.lines(Array(part)))
        rest = rest.dropFirst(part.count)
      }
      if isOver { return }
    }
  }
}
