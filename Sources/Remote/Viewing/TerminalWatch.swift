public import Core
public import Tmux
import Foundation

/// Follows a remote tmux session in control mode and tells what comes as records; no byte is sent.
///
/// A second client, which takes no output, keeps tmux reading from the session's programs while nobody
/// reads what the first one tells: they never wait for us.
public struct TerminalWatch {
  private let target: TmuxTarget
  private let host: String
  private let tmux: String?
  private let write: (any StreamRecord) throws(Failure) -> Void

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - host: What the host is called.
  ///   - tmux: The program there, by an absolute path.
  ///   - write: Takes the records. While it waits nothing is read, and tmux drops what is too much.
  public init(
    _ target: TmuxTarget, on host: String, tmux: String?,
    write: @escaping (any StreamRecord) throws(Failure) -> Void
  ) {
    self.target = target
    self.host = host
    self.tmux = tmux
    self.write = write
  }

  /// Follows the session until it ends, or somebody detaches us, and connects again after a loss.
  ///
  /// - Parameters:
  ///   - reach: The way to the host.
  ///   - patience: For how many seconds one tries in vain to connect again.
  ///   - lost: Is told why, each time that a connection is lost.
  /// - Throws: What connecting throws, `TmuxSessionNotFound`, `TmuxNotFound`, what `write` throws.
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
  ///   - again: Whether a connection was lost before.
  /// - Throws: `TmuxSessionNotFound`, `TmuxNotFound`, `StreamInterrupted`, what `write` throws.
  private func run(_ connection: SSHConnection, again: Bool) throws(Failure) {
    var keeper = try connection.begin(try TmuxCommand.keep(target, tmux: tmux).line)
    defer { keeper.close() }
    // Before any output comes that may not be taken; why it may fail is told by the other one.
    try connection.awaitOutput(keeper, seconds: 30)
    var isPaused = false
    repeat {
      // A new attaching goes on with what comes now; the paused one could only be told to.
      let greeting: TerminalEventKind? = isPaused ? .goesOn : again ? .reconnected : nil
      do throws(Failure) {
        isPaused = try follow(connection, &keeper, greeting) == .paused
      } catch {
        // It may end just when it is attached to anew.
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

  /// Attaches, and tells what comes.
  ///
  /// - Parameters:
  ///   - connection: The connection to the host.
  ///   - keeper: The channel of the client that takes no output; another one when that has ended.
  ///   - greeting: What is told as soon as it is attached.
  /// - Returns: How it ended.
  /// - Throws: As ``run(_:again:)``.
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
      // What it is told is told to the other one, too.
      keeper.discard(&buffer)
      if try isGone(keeper), nextKeeper <= .now {
        // Somebody ended it. Where the session has ended, this one finds none.
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

  /// Whether the client that takes no output has ended.
  ///
  /// A host may refuse a channel for another one while a session ends; that it ends is told elsewhere.
  private func isGone(_ keeper: SSHChannel) throws(Failure) -> Bool {
    do throws(Failure) {
      return try keeper.advance() && keeper.isClosed
    } catch {
      guard error.code == .terminalInitFailed else { throw error }
      return true
    }
  }
}
