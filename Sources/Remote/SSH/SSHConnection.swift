public import Core
import Foundation
public import Tmux

/// A connection to a host and to the jump hosts on the way.
///
/// It must be used by one thread only.
public final class SSHConnection {
  /// One session of the connection.
  ///
  /// If the session runs through a jump host, a pump copies its bytes.
  struct Link {
    let session: SSHSession
    let pump: JumpPump?
  }

  private var links: [Link] = []
  let interruption: Interruption
  private var lastKeepAlive = ContinuousClock.now
  private var silentIntervals = 0
  private var lastReceived: UInt64 = 0
  /// The number of bytes that had been received when the last wait ended.
  private var receivedBefore: UInt64 = 0
  /// The interval between keep-alive requests, in seconds.
  private let interval: Double

  /// Creates a connection that has no sessions yet.
  ///
  /// - Parameters:
  ///   - interval: The interval between keep-alive requests, in seconds. A peer that is silent for
  ///     three intervals counts as gone.
  ///   - interruption: The interruption that occurs when the process is to end.
  init(interval: Double, interruption: Interruption) {
    self.interval = interval
    self.interruption = interruption
  }

  deinit {
    // The inner session must end before its carrier.
    while links.popLast() != nil {}
  }

  /// Returns the session with the innermost host.
  ///
  /// - Throws: `StreamInterrupted` if there is no session yet.
  func session() throws(Failure) -> SSHSession {
    guard let session = links.last?.session else { throw Self.lost("not connected") }
    return session
  }

  /// Adds the given link.
  ///
  /// Its session becomes the innermost one.
  func add(_ link: Link) { links.append(link) }

  /// Returns the failure that reports that the connection was lost for the given reason.
  static func lost(_ cause: String) -> Failure {
    Failure(
      .streamInterrupted, "the connection to the host was lost", kind: .connectionLost,
      cause: Visible.line(cause))
  }

  // MARK: - Waiting

  /// Waits until bytes arrive from a host or on another descriptor.
  ///
  /// Bytes from the hosts are received.
  ///
  /// Reading one channel also receives the bytes of all other channels, and poll(2) no longer
  /// reports these. The call therefore waits only if no byte was received since the last call.
  ///
  /// - Parameters:
  ///   - others: Other descriptors to wait for; the call sets their `revents`.
  ///   - milliseconds: The maximum wait.
  /// - Throws: `StreamInterrupted` if the connection is lost; `Interrupted` if the process is to
  ///   end.
  func turn(_ others: inout [pollfd], within milliseconds: Int32) throws(Failure) {
    let pumps = links.compactMap(\.pump)
    var hasMoved = false
    for pump in pumps where pump.flow() { hasMoved = true }
    var wanted = links.map(\.session.wanted) + pumps.map(\.wanted) + others
    let received = links.reduce(0) { $0 + $1.session.received }
    if received != receivedBefore { hasMoved = true }
    receivedBefore = received
    let wait = hasMoved ? 0 : min(milliseconds, Int32(interval * 1000))
    if wait > 0 { links.first?.session.acknowledgeAtOnce() }
    try interruption.wait(for: &wanted, within: wait)
    for (index, link) in links.enumerated() where wanted[index].revents != 0 {
      link.session.receive()
    }
    others = Array(wanted.suffix(others.count))
    for pump in pumps { _ = pump.flow() }
  }

  /// Repeats the given call until it returns a result.
  ///
  /// - Parameters:
  ///   - limit: The time limit.
  ///   - call: The call to repeat. It returns nil as long as it has no result.
  /// - Returns: The result; nil if the time limit expires.
  /// - Throws: `StreamInterrupted` if the connection is lost; `Interrupted` if the process is to
  ///   end.
  func settled<Answer>(
    _ limit: TimeLimit, _ call: () -> Answer?
  ) throws(Failure) -> Answer? {
    var none: [pollfd] = []
    while true {
      if let answer = call() { return answer }
      guard !limit.isOver else { return nil }
      try turn(&none, within: limit.milliseconds(atMost: 1000))
    }
  }

  /// Sends a keep-alive request if one is due, and throws if the peer is gone.
  ///
  /// Any received byte counts as a reply, because libssh does not wait for the real one.
  ///
  /// - Throws: `StreamInterrupted` if the peer is silent for three intervals or has disconnected.
  public func checkLife() throws(Failure) {
    let session = try session()
    guard session.isConnected else { throw Self.lost(session.error) }
    guard ContinuousClock.now - lastKeepAlive >= .seconds(interval) else { return }
    lastKeepAlive = ContinuousClock.now
    silentIntervals = session.received == lastReceived ? silentIntervals + 1 : 0
    lastReceived = session.received
    guard silentIntervals < 4 else {
      throw Self.lost("no data for \(Int(interval * 3)) seconds")
    }
    session.sendKeepAlive()
  }

  // MARK: - Commands

  /// Creates a channel for the given command.
  ///
  /// ``start(_:seconds:)`` waits until the command runs.
  ///
  /// - Parameters:
  ///   - command: The command line for the host's login shell; nil if ``SSHChannel/run(_:size:)``
  ///     sets it later.
  ///   - terminal: The terminal's name and size; nil for no terminal.
  /// - Returns: The channel.
  /// - Throws: `TerminalInitFailed` if memory is exhausted.
  func begin(
    _ command: String?, terminal: (name: String, size: SSHChannel.TerminalSize)? = nil
  ) throws(Failure) -> SSHChannel {
    try SSHChannel(try session(), command: command, terminal: terminal)
  }

  /// Waits until the channel's command runs.
  ///
  /// - Throws: `Timeout` if the time limit expires; `TerminalInitFailed` if the host refuses the
  ///   channel or the command.
  func start(_ channel: SSHChannel, seconds: Double) throws(Failure) {
    let limit = TimeLimit(seconds: seconds)
    while try !channel.advance() {
      try wait(limit, "the host did not start the command")
    }
  }

  /// Runs the given command, and waits until it ends.
  ///
  /// - Parameters:
  ///   - command: The command line for the host's login shell.
  ///   - other: Another channel, which continues to open in the meantime.
  ///   - seconds: The time limit.
  ///   - maximumOutput: The maximum number of bytes of output.
  /// - Returns: The exit status and the output.
  /// - Throws: `Timeout` if the time limit expires; `InvalidResponse` if the output is too long;
  ///   the errors of ``start(_:seconds:)``.
  public func run(
    _ command: String, beside other: SSHChannel? = nil, seconds: Double = 30,
    maximumOutput: Int = 16 << 20
  ) throws(Failure) -> TmuxAnswer {
    let channel = try begin(command)
    let limit = TimeLimit(seconds: seconds)
    var result = TmuxAnswer(status: nil, output: [], errors: [])
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      _ = try other?.advance()
      let isRunning = try channel.advance()
      if isRunning {
        // Output that arrived before the close must still be read.
        let isClosed = channel.isClosed
        let hasOutput = try collect(channel, &buffer, into: &result.output, atMost: maximumOutput)
        let hasErrors = try collect(
          channel, &buffer, errors: true, into: &result.errors, atMost: 1 << 16)
        if !hasOutput && !hasErrors && isClosed { break }
        if hasOutput || hasErrors { continue }
      }
      try wait(limit, "the command on the host did not finish")
    }
    result.status = channel.exitStatus
    if result.status == nil, !(try session().isConnected) { throw Self.lost(try session().error) }
    return result
  }

  /// Waits until the channel's command prints something or ends; discards the output.
  ///
  /// - Throws: The errors of ``start(_:seconds:)``.
  func awaitOutput(_ channel: SSHChannel, seconds: Double) throws(Failure) {
    try start(channel, seconds: seconds)
    let limit = TimeLimit(seconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while !channel.isClosed {
      if case .bytes = channel.read(into: &buffer) { return }
      try wait(limit, "the command on the host printed nothing")
    }
  }

  /// Closes the input of the channel's command, and waits briefly until it ends.
  ///
  /// Some servers fail if a channel is closed while its command still prints.
  func end(_ channel: SSHChannel, seconds: Double = 2) throws(Failure) {
    channel.sendEnd()
    let limit = TimeLimit(seconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var none: [pollfd] = []
    while !channel.isClosed, !limit.isOver {
      channel.discard(&buffer)
      try checkLife()
      try turn(&none, within: limit.milliseconds(atMost: 1000))
    }
  }

  /// Waits for the next bytes from the host; throws `Timeout` with the given message if the limit
  /// expires.
  private func wait(_ limit: TimeLimit, _ complaint: String) throws(Failure) {
    try checkLife()
    guard !limit.isOver else {
      throw Failure(.timeout, "\(complaint) within \(Int(limit.seconds ?? 0)) seconds")
    }
    var none: [pollfd] = []
    try turn(&none, within: limit.milliseconds(atMost: 1000))
  }

  /// Appends the available output of the channel's command to `bytes`.
  private func collect(
    _ channel: SSHChannel, _ buffer: inout [UInt8], errors: Bool = false,
    into bytes: inout [UInt8], atMost maximum: Int
  ) throws(Failure) -> Bool {
    guard case .bytes(let count) = channel.read(into: &buffer, errors: errors) else { return false }
    guard bytes.count + count <= maximum else {
      guard errors else {
        throw Failure(
          .invalidResponse, "the command on the host printed more than \(maximum) bytes")
      }
      return true
    }
    bytes += buffer[..<count]
    return true
  }
}
