public import Core
import Foundation
public import Processes
public import Tmux

/// Follows a tmux session of this machine in control mode and tells what comes as records, as
/// ``TerminalWatch`` does on a host.
public struct LocalWatch {
  private let target: TmuxTarget
  private let tmux: String?
  private let environment: ChildEnvironment
  private let interruption: Interruption
  private let write: (any StreamRecord) throws(Failure) -> Void

  /// A watch; nothing happens yet.
  ///
  /// - Parameters:
  ///   - name: The session's exact name or its id.
  ///   - tmux: The program, by an absolute path; by default the one in the PATH.
  ///   - environment: The environment of the clients, by which they find the server.
  ///   - interruption: Ends it.
  ///   - write: Takes the records. While it waits nothing is read, and tmux drops what is too much.
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

  /// Follows the session until it ends, or somebody detaches the client.
  ///
  /// - Parameters:
  ///   - goesOn: Whether another client takes the place of one that was killed.
  ///   - lost: Is told why, each time that a client was killed.
  ///   - ask: Asks the tmux of this machine.
  /// - Throws: `TmuxSessionNotFound`, `TmuxNotFound`, `StreamInterrupted`, what `write` throws,
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
    // Before any output comes that may not be taken; why it may fail is told by the other one.
    try awaitOutput(keeper)
    var isPaused = false
    repeat {
      // A new attaching goes on with what comes now; the paused one could only be told to.
      let greeting: TerminalEventKind? = isPaused ? .goesOn : again ? .reconnected : nil
      do throws(Failure) {
        isPaused = try follow(&keeper, greeting) == .paused
      } catch {
        // It may end just when it is attached to anew.
        guard isPaused, error.code == .tmuxSessionNotFound else { throw error }
        isPaused = false
      }
    } while isPaused
    // How it ended says nothing that the other did not.
    _ = end(keeper)
    let answer = try ask(try TmuxCommand.has(target, tmux: tmux))
    let isThere = try answer.exists(on: LocalSession.host)
    try write(
      TerminalEvent(
        ts: Timestamp.now.milliseconds, event: .exit,
        reason: isThere ? "detached" : "the session has ended"))
  }

  /// Attaches, and tells what comes.
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
        // Somebody ended it. Where the session has ended, this one finds none.
        keeper = try start(try TmuxCommand.keep(target, tmux: tmux))
        isKept = true
        nextKeeper = .now + .seconds(1)
      }
      var waited = [client.readable, isKept ? keeper.readable : -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      try interruption.wait(for: &waited, within: 1000)
      // What it is told is told to the other one, too.
      if waited[1].revents != 0 { isKept = keeper.read(into: &buffer, until: .now) != 0 }
      guard waited[0].revents != 0, let count = client.read(into: &buffer, until: .now) else {
        continue
      }
      guard count > 0 else { break }
      try watched.read(Array(buffer[..<count]))
      // Errors come on the same stream, before anything else.
      if !watched.hasBegun { watched.add(errors: buffer[..<count]) }
    }
    let status = end(client)
    return try watched.end(
      status: 0...128 ~= status ? status : nil, target, on: LocalSession.host)
  }

  /// Tells a client that nothing more comes, takes what it still has to write, and waits for its end.
  ///
  /// - Returns: Its exit status.
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

  /// Waits until a client says something, which is forgotten, or ends.
  private func awaitOutput(_ client: Program) throws(Failure) {
    var waited = [pollfd(fd: client.readable, events: Int16(POLLIN), revents: 0)]
    try interruption.wait(for: &waited, within: 30_000)
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    _ = client.read(into: &buffer, until: .now)
  }
}
