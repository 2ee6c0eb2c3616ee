public import Core
import Foundation
import Synchronization

/// A child program whose standard input and output are pipes.
///
/// Reads and writes block. One thread may read while another writes. Only this object may reap the
/// process (wait(2)).
public final class Program: Sendable {
  /// The destination of the program's standard error.
  public enum Errors: Sendable {
    /// The standard error of this process.
    case ours
    /// The null device, `/dev/null`.
    case nowhere
    /// A closure, which receives each line on a thread of its own; a line is cut at 4 KiB.
    case lines(@Sendable (String) -> Void)
  }

  /// The program's process ID.
  public let process: Int32
  private let output: Descriptor
  private let input: Mutex<Int32>
  private let errorLines: ErrorLines?
  private let guardian: Guardian?
  private let ending = Mutex<ProcessEnding?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in PATH, and its arguments.
  ///   - environment: The whole environment of the program.
  ///   - errors: The destination of the program's standard error.
  ///   - folder: The folder in which the program runs; nil for ours.
  ///   - guardian: A guardian that ends the program and its children if this process is killed. The
  ///     program then has a separate process group and cannot read the terminal. If nil, the
  ///     program stays in this process's group.
  /// - Throws: `BadConfiguration` if the program cannot be started, with the kind `noProgram` if it
  ///   does not exist; `StorageFailed` if too many files are open.
  public init(
    _ arguments: [String], environment: ChildEnvironment, errors: Errors = .ours,
    folder: String? = nil, guardian: Guardian? = nil
  ) throws(Failure) {
    let toProgram = try PipeEnds()
    let fromProgram = try PipeEnds()
    let errorOutput: Descriptor
    switch errors {
    case .ours:
      errorOutput = Descriptor(-1)
      errorLines = nil
    case .nowhere:
      errorOutput = Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
      errorLines = nil
    case .lines(let receive):
      let ends = try PipeEnds().release()
      errorOutput = Descriptor(ends.writing)
      errorLines = try ErrorLines(Descriptor(ends.reading), receive)
    }
    var spawn = Spawn(.words(arguments))
    spawn.environment = environment
    spawn.input = toProgram.reading.number
    spawn.output = fromProgram.writing.number
    spawn.errors = errorOutput.number
    spawn.folder = folder
    spawn.guardian = guardian?.descriptor
    spawn.hasOwnGroup = guardian != nil
    spawn.resetsSignals = true
    process = try spawn.startConfigured()
    self.guardian = guardian
    output = fromProgram.keepReading()
    let writing = toProgram.keepWriting().release()
    // While the program is slow to read its input, a write must not block reads.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    input = Mutex(writing)
  }

  deinit {
    closeInput()
    _ = end(within: .zero)
  }

  // MARK: Feeding

  /// Closes the program's standard input.
  public func closeInput() {
    input.withLock { input in
      Descriptor(input).close()
      input = -1
    }
  }

  /// Writes the given bytes to the program's standard input.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to write.
  ///   - end: The deadline; nil waits without limit.
  /// - Returns: `true` if all bytes were written; `false` if the program closed its input or the
  ///   deadline passed.
  public func write(_ bytes: [UInt8], until end: ContinuousClock.Instant? = nil) -> Bool {
    send(bytes, until: end) == bytes.count
  }

  /// Writes the given bytes to the program's standard input, like ``write(_:until:)``.
  ///
  /// - Returns: The number of bytes that were written.
  public func send(_ bytes: [UInt8], until end: ContinuousClock.Instant? = nil) -> Int {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch feed(&rest) {
      case .isClosed: return bytes.count - rest.count
      case .isFull:
        let left = Self.milliseconds(until: end)
        guard left != 0 else { return bytes.count - rest.count }
        var waits = [pollfd(fd: input.withLock { $0 }, events: Int16(POLLOUT), revents: 0)]
        // The result of poll does not matter: the next write reports any error.
        _ = poll(&waits, 1, left)
      case .tookSome: break
      }
    }
    return bytes.count
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

  /// The descriptor of the program's output, to pass to poll(2).
  public var readable: Int32 { output.number }

  /// Waits until the program writes output, and reads the available bytes.
  ///
  /// - Parameters:
  ///   - buffer: The buffer to fill.
  ///   - end: The deadline; nil waits without limit.
  /// - Returns: The number of bytes; 0 at the end of the output; nil if the deadline passed.
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
      // The result of poll does not matter: the next read reports any error.
      _ = poll(&waits, 1, left)
    }
  }

  /// Writes the input and reads the output concurrently, so that neither blocks the other.
  ///
  /// - Parameters:
  ///   - bytes: The input. The program need not read all of it.
  ///   - most: The maximum number of bytes to read.
  ///   - end: The deadline; nil waits without limit.
  ///   - endsWithProgram: `true` to wait for the program's end instead of that of its output, which
  ///     its children may hold open, and to discard what exceeds the maximum.
  /// - Returns: The output. The flag is `true` if the program closed the output before the deadline
  ///   and within the maximum.
  func exchange(
    _ bytes: [UInt8], atMost most: Int, until end: ContinuousClock.Instant?,
    endsWithProgram: Bool = false
  ) -> (output: [UInt8], isWhole: Bool) {
    var rest = bytes[...]
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    if rest.isEmpty { closeInput() }
    while true {
      let left = Self.milliseconds(until: end)
      guard left != 0 else { return (output, false) }
      let wait = endsWithProgram ? (left < 0 ? 50 : min(left, 50)) : left
      // poll(2) ignores a negative descriptor.
      var waits = [
        pollfd(fd: self.output.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.withLock { $0 }, events: Int16(POLLOUT), revents: 0),
      ]
      // The result of poll does not matter: the calls below report any error.
      _ = poll(&waits, 2, wait)
      if endsWithProgram, waits[0].revents == 0, hasEnded(within: .zero) { return (output, true) }
      if waits[1].revents != 0, feed(&rest) == .isClosed || rest.isEmpty { closeInput() }
      guard waits[0].revents != 0, let count = read(into: &piece, until: .now) else { continue }
      guard count > 0 else { return (output, true) }
      output += piece[..<count]
      if endsWithProgram, output.count > most { output.removeLast(output.count - most) }
      guard output.count <= most else { return (Array(output.prefix(most)), false) }
    }
  }

  private static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
    guard let end else { return -1 }
    let left = (end - .now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(clamping: Int64(left.rounded(.up)))
  }

  /// The last line that is not blank on the program's standard error; nil if there is none or the
  /// lines go elsewhere.
  public var lastErrorLine: String? { errorLines?.last }

  // MARK: Steering and ending

  /// Sends the given signal to the program.
  ///
  /// If the program has a separate group, the group receives it.
  public func signal(_ number: Int32) {
    ending.withLock { ending in
      // After it was reaped, the process ID may belong to another process.
      guard ending == nil else { return }
      kill(guardian == nil ? process : -process, number)
    }
  }

  /// Waits until the program ends.
  ///
  /// If the given time expires first, the program is killed.
  ///
  /// - Parameter patience: The time after which the program is killed; nil waits without limit.
  /// - Returns: The way the program ended.
  public func end(within patience: Duration? = nil) -> ProcessEnding {
    if let ending = ending.withLock({ $0 }) { return ending }
    if let patience, !hasEnded(within: patience) { signal(SIGKILL) }
    var found = siginfo_t()
    while waitid(P_PID, id_t(process), &found, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    let result = reap()
    errorLines?.finish()
    return result
  }

  /// Ends the program in steps: its input is closed; if it and its group do not end within the
  /// given time, they get SIGTERM, and after the same time again SIGKILL.
  ///
  /// - Returns: The ending of the program.
  public func endInSteps(_ patience: Duration = .seconds(2)) -> ProcessEnding {
    if let ending = ending.withLock({ $0 }) { return ending }
    closeInput()
    for number in [SIGTERM, SIGKILL] {
      guard !hasEnded(within: patience, andGroup: guardian != nil) else { break }
      signal(number)
    }
    return end()
  }

  private func reap() -> ProcessEnding {
    ending.withLock { ending in
      if let ending { return ending }
      guardian?.withdraw(process)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        if errno == EINTR { continue }
        // Another thread reaped the process first.
        status = TakenChildren.status(of: process) ?? status
        break
      }
      let result = ProcessEnding(waitStatus: status)
      ending = result
      return result
    }
  }

  /// Returns `true` if the program, and its group if requested, ends within the given time.
  ///
  /// Does not reap it.
  private func hasEnded(within patience: Duration, andGroup: Bool = false) -> Bool {
    let end = ContinuousClock.now + patience
    var pause: UInt32 = 500
    while true {
      var found = siginfo_t()
      let code = waitid(P_PID, id_t(process), &found, WEXITED | WNOHANG | WNOWAIT)
      // ECHILD: another thread reaped the process first.
      let isOver = code != 0 && errno != EINTR || code == 0 && found.si_signo == SIGCHLD
      if isOver, !andGroup || !Descendants.isAlive(group: process) { return true }
      guard .now < end else { return false }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }
}
