public import Core
import Foundation
public import Processes
public import Tmux

/// A follower of a tmux session of this machine in control mode, which writes its output as
/// records, as ``TerminalWatch`` does for a host.
public struct LocalWatch {
  private let target: TmuxTarget
  private let tmux: String?
  private let environment: ChildEnvironment
  private let interruption: Interruption
  private let write: (any StreamRecord) throws(Failure) -> Void

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - name: The session's exact name or its ID.
  ///   - tmux: The program, by an absolute path; by default the one in the PATH.
  ///   - environment: The environment of the clients, by which they find the server.
  ///   - interruption: Ends the watch.
  ///   - write: Writes a record. While it blocks nothing is read, and tmux drops excess output.
  /// - Throws: `TmuxSessionNotFound` for a name that no session can have; `BadInput`.
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

  /// Follows the session until it ends, or the client is detached.
  ///
  /// - Parameters:
  ///   - goesOn: `true` to replace a client that was killed.
  ///   - lost: A closure that receives the reason each time a client was killed.
  ///   - ask: Runs commands of this machine's tmux.
  /// - Throws: `TmuxSessionNotFound`, `TmuxNotFound`, `StreamInterrupted`, the errors of `write`,
  ///   `Interrupted`.
  public func run(
    goesOn: Bool, lost: (Failure) -> Void, _ ask: LocalSession.Ask
  ) throws(Failure) {
    var pauses = LossPauses()
    var again = false
    while true {
      do throws(Failure) {
        return try follow(again: again, ask)
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

  private func follow(again: Bool, _ ask: LocalSession.Ask) throws(Failure) {
    var keeper = try start(try TmuxCommand.keep(target, tmux: tmux))
    // The keeper must be attached before any output could block; if it fails, the other client
    // reports why.
    try awaitOutput(keeper)
    var isPaused = false
    repeat {
      // A new client continues with current output; a paused one would need a command to continue.
      let greeting: TerminalEventKind? = isPaused ? .goesOn : again ? .reconnected : nil
      do throws(Failure) {
        isPaused = try follow(&keeper, greeting) == .paused
      } catch {
        // The session may end just while the client attaches again.
        guard isPaused, error.code == .tmuxSessionNotFound else { throw error }
        isPaused = false
      }
    } while isPaused
    // The keeper's exit status adds nothing to that of the other client.
    _ = end(keeper)
    let answer = try ask(try TmuxCommand.has(target, tmux: tmux))
    let isThere = try answer.exists(on: LocalSession.host)
    try write(
      TerminalEvent(
        ts: Timestamp.now.milliseconds, event: .exit,
        reason: isThere ? "detached" : "the session has ended"))
  }

  /// Attaches and writes the output as records.
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
        // The keeper was killed. If the session has ended, a new keeper finds none.
        keeper = try start(try TmuxCommand.keep(target, tmux: tmux))
        isKept = true
        nextKeeper = .now + .seconds(1)
      }
      var waited = [client.readable, isKept ? keeper.readable : -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      try interruption.wait(for: &waited, within: 1000)
      // Everything that the keeper receives, the other client receives, too.
      if waited[1].revents != 0 { isKept = keeper.read(into: &buffer, until: .now) != 0 }
      guard waited[0].revents != 0, let count = client.read(into: &buffer, until: .now) else {
        continue
      }
      guard count > 0 else { break }
      try watched.read(Array(buffer[..<count]))
      // Errors arrive on the same stream, before anything else.
      if !watched.hasBegun { watched.add(errors: buffer[..<count]) }
    }
    let status = end(client)
    return try watched.end(
      status: 0...128 ~= status ? status : nil, target, on: LocalSession.host)
  }

  /// Closes a client's input, drains its output, and waits for its end.
  ///
  /// - Returns: The exit status.
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

  /// Waits until a client prints something, which is discarded, or ends.
  private func awaitOutput(_ client: Program) throws(Failure) {
    var waited = [pollfd(fd: client.readable, events: Int16(POLLIN), revents: 0)]
    try interruption.wait(for: &waited, within: 30_000)
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    _ = client.read(into: &buffer, until: .now)
  }
}
