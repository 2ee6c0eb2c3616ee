public import Core
import Foundation
import Synchronization

/// A program that is fed, read and ended by us: bytes go both ways for as long as both live.
///
/// Its standard input and output are pipes of ours. Reading and writing block; they may be done on two
/// threads at once. Nobody else waits for its process (wait(2)).
public final class Program: Sendable {
  /// Where a program's standard error goes.
  public enum Errors: Sendable {
    /// Where ours goes.
    case ours
    /// Nowhere.
    case nowhere
  }

  /// Its process.
  public let process: Int32
  private let output: Descriptor
  private let input: Mutex<Int32>
  private let guardian: Guardian?
  private let ending = Mutex<ProcessEnding?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The program, looked up in our PATH, and its arguments.
  ///   - environment: All of its environment, which tells whose choice the program is.
  ///   - errors: Where its standard error goes.
  ///   - guardian: Ends it, and what it started, when this process is killed; it then has a process
  ///     group of its own, and cannot read the terminal. Nil leaves it in our group.
  /// - Throws: `BadConfiguration` when it cannot be started, of the kind `noProgram` when there is no
  ///   such program; `StorageFailed` when too many files are open.
  public init(
    _ arguments: [String], environment: ChildEnvironment, errors: Errors = .ours,
    guardian: Guardian? = nil
  ) throws(Failure) {
    let toProgram = try PipeEnds()
    let fromProgram = try PipeEnds()
    let nowhere = Descriptor(errors == .nowhere ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1)
    var spawn = Spawn(.words(arguments))
    spawn.environment = environment
    spawn.input = toProgram.reading.number
    spawn.output = fromProgram.writing.number
    spawn.errors = nowhere.number
    spawn.guardian = guardian?.descriptor
    spawn.hasOwnGroup = guardian != nil
    spawn.resetsSignals = true
    process = try spawn.startConfigured()
    self.guardian = guardian
    output = fromProgram.keepReading()
    let writing = toProgram.keepWriting().release()
    // Reading goes on while the program is slow to take what it is fed.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    input = Mutex(writing)
  }

  deinit {
    closeInput()
    _ = end(within: .zero)
  }

  // MARK: Feeding

  /// Ends its input.
  public func closeInput() {
    input.withLock { input in
      Descriptor(input).close()
      input = -1
    }
  }

  /// Gives it bytes, all of them before a time.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - end: When there is no more time; nil waits for ever.
  /// - Returns: Whether it took them all; false when it reads no more, or the time is over.
  public func write(_ bytes: [UInt8], until end: ContinuousClock.Instant? = nil) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch feed(&rest) {
      case .isClosed: return false
      case .isFull:
        let left = Self.milliseconds(until: end)
        guard left != 0 else { return false }
        var waits = [pollfd(fd: input.withLock { $0 }, events: Int16(POLLOUT), revents: 0)]
        // Whatever poll says, the next write tells what is the matter.
        _ = poll(&waits, 1, left)
      case .tookSome: break
      }
    }
    return true
  }

  private enum Fed { case tookSome, isFull, isClosed }

  private func feed(_ bytes: inout ArraySlice<UInt8>) -> Fed {
    input.withLock { input in
      guard input >= 0 else { return .isClosed }
      let count = bytes.withUnsafeBytes {
        Foundation.write(input, $0.baseAddress, min($0.count, 1 << 16))
      }
      if count > 0 { bytes = bytes.dropFirst(count) }
      return count > 0 || errno == EINTR ? .tookSome : errno == EAGAIN ? .isFull : .isClosed
    }
  }

  // MARK: Reading

  /// Its output, to be waited for with poll(2).
  public var readable: Int32 { output.number }

  /// Waits for what it writes.
  ///
  /// - Parameters:
  ///   - buffer: Where it goes.
  ///   - end: When there is no more time; nil waits for ever.
  /// - Returns: How many bytes came; 0 at the end of its output; nil when the time is over.
  public func read(
    into buffer: inout [UInt8], until end: ContinuousClock.Instant? = nil
  ) -> Int? {
    while true {
      let count = Foundation.read(output.number, &buffer, buffer.count)
      if count >= 0 { return count }
      guard errno == EAGAIN || errno == EINTR else { return 0 }
      let left = Self.milliseconds(until: end)
      guard left != 0 else { return nil }
      var waits = [pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)]
      // Whatever poll says, the next read tells what is the matter.
      _ = poll(&waits, 1, left)
    }
  }

  /// Feeds it and reads all that it writes, so that neither waits for the other; its input then ends.
  ///
  /// - Parameters:
  ///   - bytes: What it is fed. What it does not read is no failure: its status tells.
  ///   - most: The most bytes that are read.
  ///   - end: When there is no more time; nil waits for ever.
  /// - Returns: What it wrote, and whether that is all: it closed its output in time, within the limit.
  func exchange(
    _ bytes: [UInt8], atMost most: Int, until end: ContinuousClock.Instant?
  ) -> (output: [UInt8], isWhole: Bool) {
    var rest = bytes[...]
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    if rest.isEmpty { closeInput() }
    while true {
      let left = Self.milliseconds(until: end)
      guard left != 0 else { return (output, false) }
      // A descriptor below 0 is not waited for (poll(2)).
      var waits = [
        pollfd(fd: self.output.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.withLock { $0 }, events: Int16(POLLOUT), revents: 0),
      ]
      // Whatever poll says, the calls below tell what is the matter.
      _ = poll(&waits, 2, left)
      if waits[1].revents != 0, feed(&rest) == .isClosed || rest.isEmpty { closeInput() }
      guard waits[0].revents != 0, let count = read(into: &piece, until: .now) else { continue }
      guard count > 0 else { return (output, true) }
      output += piece[..<count]
      guard output.count <= most else { return (Array(output.prefix(most)), false) }
    }
  }

  private static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
    guard let end else { return -1 }
    let left = (end - .now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(clamping: Int64(left.rounded(.up)))
  }

  // MARK: Steering and ending

  /// Sends a signal to it, and to its group where it has one of its own.
  public func signal(_ number: Int32) {
    ending.withLock { ending in
      // The number of a process that was waited for may be another's by now.
      guard ending == nil else { return }
      kill(guardian == nil ? process : -process, number)
    }
  }

  /// Waits for its end, and makes it end when there is no more time.
  ///
  /// - Parameter patience: How long it has by itself; nil waits for ever.
  /// - Returns: How it ended.
  public func end(within patience: Duration? = nil) -> ProcessEnding {
    if let ending = ending.withLock({ $0 }) { return ending }
    if let patience, !hasEnded(within: patience) { signal(SIGKILL) }
    return ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        if errno == EINTR { continue }
        // Somebody else waited for it.
        status = TakenChildren.status(of: process) ?? status
        break
      }
      let result = ProcessEnding(waitStatus: status)
      ending = result
      guardian?.dismiss()
      return result
    }
  }

  /// Looks whether it has ended, without taking its status.
  private func hasEnded(within patience: Duration) -> Bool {
    let end = ContinuousClock.now + patience
    var pause: UInt32 = 500
    while true {
      var found = siginfo_t()
      let code = waitid(P_PID, id_t(process), &found, WEXITED | WNOHANG | WNOWAIT)
      // ECHILD: somebody else waited for it.
      if code != 0 && errno != EINTR || code == 0 && found.si_signo == SIGCHLD { return true }
      guard .now < end else { return false }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }
}
