import Core
import Foundation
import Processes
import Synchronization

/// A relay that passes a stream of the command on, byte for byte and at once, and emits its lines.
///
/// A thread of its own passes the bytes on; it waits for its reader as the command would, and for
/// nothing else. Another thread cuts and records the lines, as time permits. If the reader closes
/// the stream, the command learns so by SIGPIPE.
final class OutputRelay: Sendable {
  /// A part of a stream.
  enum Piece: Sendable {
    /// Lines that arrived together.
    case lines([LineCutter.Line])
    /// A number of lost lines.
    case lost(Int)
  }

  /// The descriptor that the command gets as its stream.
  let given: Int32
  /// Our terminal at the end of the stream; nil if it is no terminal.
  let terminal: TerminalMemory?
  private let source: Int32
  private let target: Int32
  private let end = Interruption()
  private let backlog = LineBacklog()
  private let report: @Sendable (Failure) -> Void
  private let failure = Mutex<Failure?>(nil)
  private let readerHasGone = Mutex(false)

  /// The limits for a background process that writes on after the command's end: it is abandoned
  /// after this many bytes, or this many milliseconds of silence.
  private static let rest = (bytes: 1 << 20, milliseconds: Int32(50))
  /// The time for which a flood gathers before it is passed on, in microseconds: too short to fill
  /// our pipe.
  private static let gathering: UInt32 = 100
  /// The size of our pipe, in bytes: small enough for its writer to notice a slow reader.
  private static let pipeSize: Int32 = 256 << 10

  /// Creates the path from the command to our stream: a pseudo-terminal if the stream is a
  /// terminal, else a pipe.
  ///
  /// - Parameters:
  ///   - target: The descriptor of our stream.
  ///   - report: A closure that receives the reason at once if the stream cannot be passed on.
  /// - Throws: `TerminalInitFailed`, `StorageFailed`.
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
      // A user with very many pipes gets one of the default size.
      ThisProcess.setCapacity(ofPipe: given, to: Self.pipeSize)
    }
    // Only our end is non-blocking, so that available bytes are read without poll.
    _ = fcntl(source, F_SETFL, O_NONBLOCK)
  }

  /// `true` if the stream goes to a terminal, so that the command has a terminal, too.
  var isTerminal: Bool { terminal != nil }

  /// The reason why the stream could not be passed on; nil if only its reader closed it.
  var fault: Failure? { failure.withLock { $0 } }

  /// `true` if the reader has closed the stream.
  var isUnread: Bool { readerHasGone.withLock { $0 } }

  /// Starts the relay, once the command has its end of the stream.
  ///
  /// - Parameters:
  ///   - holdsRecords: `true` if lines may be records, which are dropped last.
  ///   - handle: A closure that receives each part.
  ///   - finish: A closure that is called after the last part and the last byte.
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
      // The command, and the thread that passes its output on, come first.
      ThisProcess.useLowPriority()
      cutLines(for: handle)
      finish()
    }
  }

  /// Passes on what is buffered after the command's end, and waits for no more.
  func commandHasEnded() { end.fire(signal: SIGTERM) }

  /// Copies our terminal's size to that of the command.
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
        guard bytes.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0[..<count])) })
        else { return }
        let holdsRecords = bytes.withUnsafeBytes { finder.holdsRecords($0.prefix(count)) }
        backlog.add(bytes, count: count, holdsRecords: holdsRecords)
        if end.signal != nil { left -= count }
        continue
      }
      // If the other end of a terminal is closed, read fails with EIO.
      guard count < 0, errno == EINTR || errno == EAGAIN else { return }
      backlog.giveBack(bytes)
      if end.signal != nil {
        guard Self.isReadable(source, within: Self.rest.milliseconds) else { return }
      } else {
        // Once the command has ended, this does not wait.
        _ = try? end.isReadable(source)
        // A flood grows meanwhile: reading each small piece of it would be slower than a pipe.
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
            "cannot pass the command's output on: \(String(cString: strerror(code)))"
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
        backlog.giveBack(bytes)
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
