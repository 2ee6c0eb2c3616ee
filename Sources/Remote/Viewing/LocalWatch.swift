public import Core
import Foundation
public import Processes
public import Tmux

/// A follower of a tmux session on this machine.
///
/// It attaches in control mode and writes the session's output as records. For a session on another
/// host, see ``TerminalWatch``.
public struct LocalWatch {
  private let target: TmuxTarget
  private let tmux: String?
  private let environment: ChildEnvironment
  private let interruption: Interruption
  private let write: (any StreamRecord) throws(Failure) -> Void

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - name: The session's exact name or its ID.
  ///   - tmux: The absolute path of tmux; nil for the one in the PATH.
  ///   - environment: The environment of the tmux clients, by which they find the server.
  ///   - interruption: The interruption that ends the following.
  ///   - write: A closure that writes a record. While it blocks, no output is read, and tmux drops
  ///     excess output.
  /// - Throws: `TmuxSessionNotFound` if no session can have the name; `BadInput` if the name is
  ///   ambiguous.
  public init(
    named name: String, tmux: String?, environment: ChildEnvironment, interruption: Interruption,
    write: @escaping (any StreamRecord) throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      target = try TmuxTarget(name)
    } catch {
      throw LocalSession.explained(error)
    }
    self.tmux = tmux
    self.environment = environment
    self.interruption = interruption
    self.write = write
  }

  /// Follows the session until it ends or the client is detached.
  ///
  /// - Parameters:
  ///   - goesOn: `true` to start a new client each time a client was killed.
  ///   - lost: A closure that receives the reason each time a client was killed.
  ///   - run: A closure that runs tmux commands on this machine.
  /// - Throws: `TmuxSessionNotFound` if there is no such session; `TmuxNotFound` if this machine
  ///   has no tmux; `StreamInterrupted` if the client was killed; `Interrupted` if the process is
  ///   to end; the errors of `write`.
  public func run(
    goesOn: Bool, lost: (Failure) -> Void, _ run: LocalSession.Run
  ) throws(Failure) {
    var pauses = LossPauses()
    var again = false
    while true {
      do throws(Failure) {
        return try follow(again: again, run)
      } catch {
        guard error.kind == .connectionLost, goesOn else {
          throw again ? error : LocalSession.explained(error)
        }
        lost(error)
      }
      again = true
      var nothing: [pollfd] = []
      let pause = pauses.pause(afterLossAt: .now)
      try interruption.wait(for: &nothing, within: Int32(pause * 1000))
    }
  }

  private func follow(again: Bool, _ run: LocalSession.Run) throws(Failure) {
    var keeper = try start(try TmuxCommand.attachWithoutOutput(target, tmux: tmux))
    // The keeper must attach before any output can block. If it fails, the other client reports the
    // reason.
    try awaitOutput(keeper)
    var isPaused = false
    repeat {
      // A new client starts with current output. A paused client would need a command to continue.
      let greeting: TerminalEventKind? = isPaused ? .goesOn : again ? .reconnected : nil
      do throws(Failure) {
        isPaused = try follow(&keeper, greeting) == .paused
      } catch {
        // The session may end while the client attaches again.
        guard isPaused, error.code == .tmuxSessionNotFound else { throw error }
        isPaused = false
      }
    } while isPaused
    // The keeper's exit status adds nothing to the other client's.
    _ = end(keeper)
    let answer = try run(try TmuxCommand.has(target, tmux: tmux))
    let isThere = try answer.exists(on: LocalSession.host)
    try write(
      TerminalEvent(
        ts: Timestamp.now.milliseconds, event: .exit,
        reason: isThere ? "detached" : "the session has ended"))
  }

  /// Attaches a client and writes its output as records.
  private func follow(
    _ keeper: inout Program, _ greeting: TerminalEventKind?
  ) throws(Failure) -> WatchedOutput.Ending {
    let client = try start(try TmuxCommand.control(target, tmux: tmux))
    var watched = WatchedOutput(greeting: greeting, write: write)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isKept = true
    var nextKeeper = ContinuousClock.now
    while watched.ending == nil {
      if !isKept, nextKeeper <= .now {
        // The keeper was killed, or the session has ended; then the new keeper fails.
        keeper = try start(try TmuxCommand.attachWithoutOutput(target, tmux: tmux))
        isKept = true
        nextKeeper = .now + .seconds(1)
      }
      var waited = [client.readable, isKept ? keeper.readable : -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      try interruption.wait(for: &waited, within: 1000)
      // The keeper receives nothing that the other client does not receive.
      if waited[1].revents != 0 { isKept = keeper.read(into: &buffer, until: .now) != 0 }
      guard waited[0].revents != 0, let count = client.read(into: &buffer, until: .now) else {
        continue
      }
      guard count > 0 else { break }
      try watched.read(Array(buffer[..<count]))
      // Errors arrive on the same stream as output, before it.
      if !watched.hasBegun { watched.add(errors: buffer[..<count]) }
    }
    let status = end(client)
    return try watched.end(
      status: 0...128 ~= status ? status : nil, target, on: LocalSession.host)
  }

  /// Closes the given client's input, drains its output, and waits for its exit.
  ///
  /// - Returns: The client's exit status.
  private func end(_ client: Program) -> Int32 {
    client.closeInput()
    let end = ContinuousClock.now + .seconds(2)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while let count = client.read(into: &buffer, until: end), count > 0 {}
    return client.end(within: .seconds(2)).status
  }

  private func start(_ command: TmuxCommand) throws(Failure) -> Program {
    try Program(["sh", "-c", "\(command.line) 2>&1"], environment: environment)
  }

  /// Waits until the given client prints something or exits.
  ///
  /// The output is discarded.
  private func awaitOutput(_ client: Program) throws(Failure) {
    var waited = [pollfd(fd: client.readable, events: Int16(POLLIN), revents: 0)]
    try interruption.wait(for: &waited, within: 30_000)
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    _ = client.read(into: &buffer, until: .now)
  }
}
