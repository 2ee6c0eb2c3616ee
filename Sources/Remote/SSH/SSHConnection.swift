public import Core
public import Tmux
import Foundation

/// A connection to a host, through the hosts it is reached by; all of it belongs to one thread.
public final class SSHConnection {
  /// A session, and what carries its bytes where it runs through another.
  struct Link {
    let session: SSHSession
    let pump: JumpPump?
  }

  private var links: [Link] = []
  let interruption: Interruption
  private var lastKeepAlive = ContinuousClock.now
  private var silentIntervals = 0
  private var lastReceived: UInt64 = 0
  /// How many bytes had come when one last waited.
  private var receivedBefore: UInt64 = 0
  /// Seconds between two questions whether the peer is still there.
  private let interval: Double

  /// Not connected to anything yet.
  ///
  /// - Parameters:
  ///   - interval: Seconds between two questions whether the peer is there; after three without any
  ///     byte it is taken for gone.
  ///   - interruption: Tells when the process is to end.
  init(interval: Double, interruption: Interruption) {
    self.interval = interval
    self.interruption = interruption
  }

  deinit {
    // The inner session ends before what carries it.
    while links.popLast() != nil {}
  }

  /// The session with the host itself.
  ///
  /// - Throws: `StreamInterrupted` when there is none yet.
  func session() throws(Failure) -> SSHSession {
    guard let session = links.last?.session else { throw Self.lost("not connected") }
    return session
  }

  /// Takes a session up as the innermost one.
  func add(_ link: Link) { links.append(link) }

  /// The failure of a connection that is gone.
  static func lost(_ cause: String) -> Failure {
    Failure(
      .streamInterrupted, "the connection to the host was lost", kind: .connectionLost,
      cause: Visible.line(cause))
  }

  // MARK: - Waiting

  /// Waits until something came from a host, or from somewhere else, and receives it.
  ///
  /// Reading one channel takes in what came for all of them, so that poll(2) says nothing of it any more:
  /// one waits only when a whole round of reading has taken in nothing.
  ///
  /// - Parameters:
  ///   - others: What else is waited for; their `revents` tell what came.
  ///   - milliseconds: How long at most.
  /// - Throws: `StreamInterrupted` when the connection is gone, `Interrupted`.
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

  /// Makes a call until it has an answer.
  ///
  /// - Parameters:
  ///   - limit: When it must have one.
  ///   - call: The call; nil while it has none.
  /// - Returns: The answer; nil when the time was over.
  /// - Throws: `StreamInterrupted`, `Interrupted`.
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

  /// Asks whether the peer is still there when it is time to, and tells when it is not.
  ///
  /// libssh's own question returns without an answer; that anything at all came is the answer.
  ///
  /// - Throws: `StreamInterrupted` after three intervals of silence, or when libssh saw the end.
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
    session.askForLife()
  }

  // MARK: - Commands

  /// Begins a command on a channel of its own; ``start(_:seconds:)`` goes on with it.
  ///
  /// - Parameters:
  ///   - command: A line for the host's login shell; nil where it is not known yet.
  ///   - terminal: The terminal it gets, by its name and size; nil for none.
  /// - Returns: The channel.
  /// - Throws: `TerminalInitFailed` without memory.
  func begin(
    _ command: String?, terminal: (name: String, size: SSHChannel.TerminalSize)? = nil
  ) throws(Failure) -> SSHChannel {
    try SSHChannel(try session(), command: command, terminal: terminal)
  }

  /// Waits until a command runs.
  ///
  /// - Throws: `Timeout`; `TerminalInitFailed` when the host refuses.
  func start(_ channel: SSHChannel, seconds: Double) throws(Failure) {
    let limit = TimeLimit(seconds: seconds)
    while try !channel.advance() {
      try wait(limit, "the host did not start the command")
    }
  }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - command: A line for the host's login shell.
  ///   - other: A channel that meanwhile goes on as far as it can.
  ///   - seconds: How long it may take.
  ///   - maximumOutput: The most bytes it may print.
  /// - Returns: How it ended and what it printed.
  /// - Throws: `Timeout`, `InvalidResponse` for more output than that, and as ``start(_:seconds:)``.
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
        // What came with the end is still to be read.
        let isClosed = channel.isClosed
        let hasOutput = try collect(channel, &buffer, into: &result.output, atMost: maximumOutput)
        let hasErrors = try collect(
          channel, &buffer, errors: true, into: &result.errors, atMost: 1 << 16)
        if !hasOutput && !hasErrors && isClosed { break }
        if hasOutput || hasErrors { continue }
      }
      try wait(limit, "a command on the host did not end")
    }
    result.status = channel.exitStatus
    if result.status == nil, !(try session().isConnected) { throw Self.lost(try session().error) }
    return result
  }

  /// Waits until a command prints something, which is forgotten, or ends.
  ///
  /// - Throws: As ``start(_:seconds:)``.
  func awaitOutput(_ channel: SSHChannel, seconds: Double) throws(Failure) {
    try start(channel, seconds: seconds)
    let limit = TimeLimit(seconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while !channel.isClosed {
      if case .bytes = channel.read(into: &buffer) { return }
      try wait(limit, "a command on the host printed nothing")
    }
  }

  /// Tells a command that nothing more comes, and waits for its end, but not for long.
  ///
  /// Servers are found that fail when a channel is closed whose command still prints.
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

  /// Waits for what comes next from the host.
  private func wait(_ limit: TimeLimit, _ complaint: String) throws(Failure) {
    try checkLife()
    guard !limit.isOver else {
      throw Failure(.timeout, "\(complaint) within \(Int(limit.seconds ?? 0)) seconds")
    }
    var none: [pollfd] = []
    try turn(&none, within: limit.milliseconds(atMost: 1000))
  }

  /// Adds what a command printed to what it printed before.
  private func collect(
    _ channel: SSHChannel, _ buffer: inout [UInt8], errors: Bool = false,
    into bytes: inout [UInt8], atMost maximum: Int
  ) throws(Failure) -> Bool {
    guard case .bytes(let count) = channel.read(into: &buffer, errors: errors) else { return false }
    guard bytes.count + count <= maximum else {
      guard errors else {
        throw Failure(.invalidResponse, "a command on the host printed more than \(maximum) bytes")
      }
      return true
    }
    bytes += buffer[..<count]
    return true
  }
}
