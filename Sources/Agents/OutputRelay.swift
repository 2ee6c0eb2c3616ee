import Core
import Foundation
import Synchronization

/// Passes a stream of the command on, byte for byte and at once, and hands over the lines in it.
///
/// It waits for its reader as the command would without it, on a thread of its own. A reader that
/// goes away closes the stream towards the command, which then learns it by SIGPIPE.
final class OutputRelay: Sendable {
  /// What the command is given as its stream.
  let given: Int32
  /// Whether it is a terminal, since ours is one.
  let isTerminal: Bool
  private let source: Int32
  private let target: Int32
  private let end = Interruption()
  private let failure = Mutex<Failure?>(nil)
  private let readerHasGone = Mutex(false)

  /// A background process that writes on after the command's end is given up after so many bytes,
  /// or when it is quiet for so many milliseconds.
  private static let rest = (bytes: 1 << 20, milliseconds: Int32(50))

  /// Makes the way from the command to a stream of ours: a terminal where that is one, else a pipe.
  ///
  /// - Throws: `TerminalInitFailed`, `StorageFailed`.
  init(to target: Int32) throws(Failure) {
    self.target = target
    isTerminal = isatty(target) == 1
    if isTerminal {
      let terminal = try PseudoTerminal(like: target)
      (source, given) = (terminal.controller, terminal.terminal)
    } else {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        throw Failure(.storageFailed, "cannot make a pipe: \(String(cString: strerror(errno)))")
      }
      // This fails for no open descriptor.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (source, given) = (ends[0], ends[1])
    }
  }

  /// Why the stream could not be passed on, other than that nobody reads it.
  var fault: Failure? { failure.withLock { $0 } }

  /// Whether the reader has gone away.
  var isUnread: Bool { readerHasGone.withLock { $0 } }

  /// Begins, once the command has its end of the stream.
  ///
  /// - Parameters:
  ///   - handle: Is given the lines that came together.
  ///   - finish: Is called when the last line was given and the last byte was passed on.
  func start(
    _ handle: @escaping @Sendable ([LineCutter.Line]) -> Void,
    finish: @escaping @Sendable () -> Void
  ) {
    close(given)
    Thread.detachNewThread { [self] in
      var cutter = LineCutter()
      pass { bytes in
        var lines: [LineCutter.Line] = []
        cutter.take(bytes) { lines.append($0) }
        if !lines.isEmpty { handle(lines) }
      }
      cutter.end { handle([$0]) }
      close(source)
      finish()
    }
  }

  /// The command has ended: what is there is passed on, and no more is waited for.
  func commandHasEnded() { end.fire(signal: SIGTERM) }

  /// Makes the command's terminal as large as ours.
  ///
  /// - Returns: Whether it was not before.
  func copySize() -> Bool { isTerminal && PseudoTerminal.copySize(from: target, to: source) }

  private func pass(_ handle: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      var left = Self.rest.bytes
      while left > 0 {
        let hasEnded = !waitForBytes()
        if hasEnded, !Self.isReadable(source, within: Self.rest.milliseconds) { return }
        let count = read(source, buffer.baseAddress, buffer.count)
        // A terminal whose other end is closed tells so by EIO.
        guard count > 0 else {
          if count < 0, errno == EINTR || errno == EAGAIN { continue }
          return
        }
        if hasEnded { left -= count }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        guard write(bytes) else { return }
        handle(bytes)
      }
    }
  }

  /// Waits for bytes or their end; false once the command has ended.
  private func waitForBytes() -> Bool {
    do throws(Failure) { return try end.isReadable(source) } catch { return false }
  }

  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&wanted, 1, milliseconds) < 0, errno == EINTR {}
    return wanted.revents != 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
            "cannot pass the command's output on: \(String(cString: strerror(code)))"
          ))
      }
    }
    return true
  }

  private func stop(_ fault: Failure?) -> Bool {
    if let fault {
      failure.withLock { $0 = fault }
      Diagnostics.shared.report(fault)
    } else {
      readerHasGone.withLock { $0 = true }
    }
    return false
  }
}
