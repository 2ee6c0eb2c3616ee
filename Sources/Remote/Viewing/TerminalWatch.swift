public import Core
import Foundation
public import Tmux

/// A follower of a tmux session on another host.
///
/// It attaches in control mode, writes the session's output as records, and sends no bytes.
///
/// A second client, which requests no output, makes tmux read from the session's programs even
/// while the first client's output is not read. The session therefore never waits for this process.
public struct TerminalWatch {
  private let target: TmuxTarget
  private let host: String
  private let tmux: String?
  private let write: (any StreamRecord) throws(Failure) -> Void

  /// Creates a follower of the given session.
  ///
  /// - Parameters:
  ///   - target: The session to follow.
  ///   - host: The host's name for messages.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  ///   - write: A closure that writes a record. While it blocks, no output is read, and tmux drops
  ///     excess output.
  public init(
    _ target: TmuxTarget, on host: String, tmux: String?,
    write: @escaping (any StreamRecord) throws(Failure) -> Void
  ) {
    self.target = target
    self.host = host
    self.tmux = tmux
    self.write = write
  }

  /// Follows the session until it ends or the client is detached.
  ///
  /// A lost connection is replaced by a new one.
  ///
  /// - Parameters:
  ///   - reach: The route to the host.
  ///   - patience: The maximum time of attempts to reconnect, in seconds.
  ///   - lost: A closure that receives the reason each time a connection is lost.
  /// - Throws: `TmuxSessionNotFound` if there is no such session; `TmuxNotFound` if the host has no
  ///   tmux; the errors of `write`; the errors of ``Reach/connect()``.
  public func run(
    _ reach: Reach, patience: Double, lost: (Failure) -> Void
  ) throws(Failure) {
    try Reconnection(to: reach, patience: patience).run(lost: { lost($0) }) {
      (connection, again) throws(Failure) in try run(connection, again: again)
    }
  }

  /// Follows the session over the given connection.
  ///
  /// - Parameters:
  ///   - connection: A connection to the host.
  ///   - again: `true` if a connection was lost before.
  /// - Throws: `TmuxSessionNotFound` if there is no such session; `TmuxNotFound` if the host has no
  ///   tmux; `StreamInterrupted` if the connection is lost; the errors of `write`.
  private func run(_ connection: SSHConnection, again: Bool) throws(Failure) {
    var keeper = try connection.begin(try TmuxCommand.attachWithoutOutput(target, tmux: tmux).line)
    defer { keeper.close() }
    // The keeper must attach before any output can block. If it fails, the other client reports the
    // reason.
    try connection.awaitOutput(keeper, seconds: 30)
    var isPaused = false
    repeat {
      // A new client starts with current output. A paused client would need a command to continue.
      let greeting: TerminalEventKind? = isPaused ? .goesOn : again ? .reconnected : nil
      do throws(Failure) {
        isPaused = try follow(connection, &keeper, greeting) == .paused
      } catch {
        // The session may end while the client attaches again.
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

  /// Attaches a client and writes its output as records.
  ///
  /// - Parameters:
  ///   - connection: The connection to the host.
  ///   - keeper: The channel of the client that requests no output. It is replaced if it has ended.
  ///   - greeting: The event to write when the client is attached.
  /// - Returns: The way in which the attachment ended.
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
      // The keeper receives nothing that the other client does not receive.
      keeper.discard(&buffer)
      if try isGone(keeper), nextKeeper <= .now {
        // The keeper was killed, or the session has ended; then the new keeper fails.
        keeper = try connection.begin(try TmuxCommand.attachWithoutOutput(target, tmux: tmux).line)
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

  /// Returns `true` if the client on the given channel has ended.
  ///
  /// A host may refuse a new channel while the session ends. The other client then reports that
  /// end.
  private func isGone(_ keeper: SSHChannel) throws(Failure) -> Bool {
    do throws(Failure) {
      return try keeper.advance() && keeper.isClosed
    } catch {
      guard error.code == .terminalInitFailed else { throw error }
      return true
    }
  }
}
