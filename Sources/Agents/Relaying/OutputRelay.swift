import Core
import Foundation
import Processes
import Synchronization

/// Passes a stream of the command on, byte for byte and at once, and hands over the lines in it.
///
/// It waits for its reader as the command would without it, on a thread of its own, and for nothing
/// else: the lines are cut and told on another one, as far as there is time. A reader that goes away
/// closes the stream towards the command, which then learns it by SIGPIPE.
final class OutputRelay: Sendable {
  /// What a stream comes to.
  enum Piece: Sendable {
    /// Lines that came together.
    case lines([LineCutter.Line])
    /// So many lines are lost.
    case lost(Int)
  }

  /// What the command is given as its stream.
  let given: Int32
  /// Our terminal that the stream goes to; nil where it goes elsewhere.
  let terminal: TerminalMemory?
  private let source: Int32
  private let target: Int32
  private let end = Interruption()
  private let backlog = LineBacklog()
  private let report: @Sendable (Failure) -> Void
  private let failure = Mutex<Failure?>(nil)
  private let readerHasGone = Mutex(false)

  /// A background process that writes on after the command's end is given up after so many bytes,
  /// or when it is quiet for so many milliseconds.
  private static let rest = (bytes: 1 << 20, milliseconds: Int32(50))
  /// How long a flood gathers before it is passed on, in microseconds: less than fills a pipe of ours.
  private static let gathering: UInt32 = 100
  /// How many bytes a pipe of ours takes: few enough for its writer to notice a slow reader.
  private static let pipeSize: Int32 = 256 << 10

  /// Makes the way from the command to a stream of ours: a terminal where that is one, else a pipe.
  ///
  /// - Parameters:
  ///   - target: The descriptor of our stream.
  ///   - report: Is told at once why the stream cannot be passed on.
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
      // A user who has very many pipes gets a usual one.
      ThisProcess.setCapacity(ofPipe: given, to: Self.pipeSize)
    }
    // Our end alone: what is there is read without asking first.
    _ = fcntl(source, F_SETFL, O_NONBLOCK)
  }

  /// Whether the stream goes to a terminal, so that the command has one, too.
  var isTerminal: Bool { terminal != nil }

  /// Why the stream could not be passed on, other than that nobody reads it.
  var fault: Failure? { failure.withLock { $0 } }

  /// Whether the reader has gone away.
  var isUnread: Bool { readerHasGone.withLock { $0 } }

  /// Begins, once the command has its end of the stream.
  ///
  /// - Parameters:
  ///   - holdsRecords: Whether lines may be records, which are kept before others are.
  ///   - handle: Is given what came.
  ///   - finish: Is called when the last line was given and the last byte was passed on.
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
      // Whoever prints, and who passes that on, comes first.
      ThisProcess.useLowPriority()
      cutLines(for: handle)
      finish()
    }
  }

  /// The command has ended: what is there is passed on, and no more is waited for.
  func commandHasEnded() { end.fire(signal: SIGTERM) }

  /// Makes the command's terminal as large as ours.
  ///
  /// - Returns: Whether it was not before.
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
      // A terminal whose other end is closed tells so by EIO.
      guard count < 0, errno == EINTR || errno == EAGAIN else { return }
      backlog.giveBack(bytes)
      if end.signal != nil {
        guard Self.isReadable(source, within: Self.rest.milliseconds) else { return }
      } else {
        // Once the command has ended, this does not wait.
        _ = try? end.isReadable(source)
        // Of a flood, more comes meanwhile: whoever reads each piece of it alone is slower than a pipe.
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
        // The next write tells what poll does not.
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

  // MARK: Telling

  /// So many lines are told of at once.
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
