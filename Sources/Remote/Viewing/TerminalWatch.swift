public import Core
public import Tmux
import Foundation

/// A follower of a remote tmux session in control mode, which writes its output as records and
/// sends no byte.
///
/// A second client without output makes tmux read from the session's programs even while the first
/// client is not read, so the session never waits for this process.
public struct TerminalWatch {
  private let target: TmuxTarget
  private let host: String
  private let tmux: String?
  private let write: (any StreamRecord) throws(Failure) -> Void

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - host: The host's name for messages.
  ///   - tmux: The program there, by an absolute path.
  ///   - write: Writes a record. While it blocks nothing is read, and tmux drops excess output.
  public init(
    _ target: TmuxTarget, on host: String, tmux: String?,
    write: @escaping (any StreamRecord) throws(Failure) -> Void
  ) {
    self.target = target
    self.host = host
    self.tmux = tmux
    self.write = write
  }

  /// Follows the session until it ends or the client is detached, and reconnects after a loss.
  ///
  /// - Parameters:
  ///   - reach: The route to the host.
  ///   - patience: The time after which attempts to reconnect are given up, in seconds.
  ///   - lost: A closure that receives the reason each time a connection is lost.
  /// - Throws: The errors of connecting, `TmuxSessionNotFound`, `TmuxNotFound`, the errors of
  ///   `write`.
  public func run(
    _ reach: Reach, patience: Double, lost: (Failure) -> Void
  ) throws(Failure) {
    try Reconnection(to: reach, patience: patience).run(lost: { lost($0) }) {
      (connection, again) throws(Failure) in try run(connection, again: again)
    }
  }

  /// Follows the session over a connection.
  ///
  /// - Parameters:
  ///   - connection: A connection to the host.
  ///   - again: `true` if a connection was lost before.
  /// - Throws: `TmuxSessionNotFound`, `TmuxNotFound`, `StreamInterrupted`, the errors of `write`.
  private func run(_ connection: SSHConnection, again: Bool) throws(Failure) {
    var keeper = try connection.begin(try TmuxCommand.keep(target, tmux: tmux).line)
    defer { keeper.close() }
    // The keeper must be attached before any output could block; if it fails, the other client
    // reports why.
    try connection.awaitOutput(keeper, seconds: 30)
    var isPaused = false
    repeat {
      // A new client continues with current output; a paused one would need a command to continue.
      let greeting: TerminalEventKind? = isPaused ? .goesOn : again ? .reconnected : nil
      do throws(Failure) {
        isPaused = try follow(connection, &keeper, greeting) == .paused
      } catch {
        // The session may end just while the client attaches again.
        guard isPaused, error.code == .tmuxSessionNotFound else { throw error }
        isPaused = false
      }
    } while isPaused
    try connection.end(keeper)
    let answer = try connection.run(try TmuxCommand.has(target, tmux: tmux).line)
    let isThere = try answer.exists(on: host)
    try write(
      TerminalEvent(
        ts: Timestamp.now.milliseconds, event: .exit,
        reason: isThere ? "detached" : "the session has ended"))
  }

  /// Attaches and writes the output as records.
  ///
  /// - Parameters:
  ///   - connection: The connection to the host.
  ///   - keeper: The channel of the client without output, replaced if it has ended.
  ///   - greeting: The event that is written as soon as the client is attached.
  /// - Returns: The way the attachment ended.
  /// - Throws: The errors of ``run(_:again:)``.
  private func follow(
    _ connection: SSHConnection, _ keeper: inout SSHChannel, _ greeting: TerminalEventKind?
  ) throws(Failure) -> WatchedOutput.Ending {
    let channel = try connection.begin(try TmuxCommand.control(target, tmux: tmux).line)
    defer { channel.close() }
    try connection.start(channel, seconds: 30)
    var watched = WatchedOutput(greeting: greeting, write: write)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var none: [pollfd] = []
    var nextKeeper = ContinuousClock.now
    while watched.ending == nil {
      // Everything that the keeper receives, the other client receives, too.
      keeper.discard(&buffer)
      if try isGone(keeper), nextKeeper <= .now {
        // The keeper was killed. If the session has ended, a new keeper finds none.
        keeper = try connection.begin(try TmuxCommand.keep(target, tmux: tmux).line)
        nextKeeper = .now + .seconds(1)
      }
      let isClosed = channel.isClosed
      let reading = channel.read(into: &buffer)
      let output =
        if case .bytes(let count) = reading { Array(buffer[..<count]) } else { [UInt8]() }
      if case .bytes(let count) = channel.read(into: &buffer, errors: true) {
        watched.add(errors: buffer[..<count])
      }
      try watched.read(output)
      if case .bytes = reading { continue }
      if isClosed { break }
      try connection.checkLife()
      try connection.turn(&none, within: 1000)
    }
    if watched.ending != nil { try connection.end(channel) }
    return try watched.end(status: channel.exitStatus, target, on: host)
  }

  /// Returns `true` if the client without output has ended.
  ///
  /// A host may refuse another channel while a session ends; the end is reported elsewhere.
  private func isGone(_ keeper: SSHChannel) throws(Failure) -> Bool {
    do throws(Failure) {
      return try keeper.advance() && keeper.isClosed
    } catch {
      guard error.code == .terminalInitFailed else { throw error }
      return true
    }
  }
}
