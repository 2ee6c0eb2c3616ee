public import Core
import Foundation

/// Work over a connection that is replaced each time it is lost.
///
/// The first attempt to reconnect follows the loss at once. The pauses between failed attempts grow
/// from 0.2 to 10 seconds.
public struct Reconnection {
  private let reach: Reach
  private let interruption: Interruption
  /// The maximum time of attempts to reconnect, in seconds.
  private let patience: Double

  /// Prepares work over connections to the given host.
  ///
  /// - Parameters:
  ///   - reach: The route to the host.
  ///   - patience: The maximum time of attempts to reconnect, in seconds; 0 for no attempts.
  public init(to reach: Reach, patience: Double) {
    self.patience = patience
    interruption = reach.connector.interruption
    self.reach = reach
  }

  /// Connects and runs `work`.
  ///
  /// Both are repeated each time the connection is lost.
  ///
  /// - Parameters:
  ///   - lost: A closure that receives the reason each time a connection is lost.
  ///   - work: The work to run. Its second argument is `true` if it was run before.
  /// - Throws: The errors of `work`, except a lost connection; the error of the last attempt to
  ///   reconnect.
  public func run(
    lost: (Failure) throws(Failure) -> Void,
    _ work: (SSHConnection, _ again: Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var connection: SSHConnection? = try reach.connect()
    reach.stopAsking()
    var again = false
    var pauses = LossPauses()
    while true {
      do throws(Failure) {
        if let connection { return try work(connection, again) }
      } catch {
        guard error.kind == .connectionLost, patience > 0 else { throw error }
        try lost(error)
      }
      again = true
      // The old connection ends first. Otherwise the host would show two clients.
      connection = nil
      try wait(pauses.pause(afterLossAt: .now))
      connection = try reconnected()
    }
  }

  private func wait(_ seconds: Double) throws(Failure) {
    var nothing: [pollfd] = []
    try interruption.wait(for: &nothing, within: Int32(seconds * 1000))
  }

  private func reconnected() throws(Failure) -> SSHConnection {
    let limit = TimeLimit(seconds: patience)
    var failures = 0
    while true {
      do throws(Failure) {
        return try reach.connect()
      } catch {
        let passes: Set<FailureCode> = [
          .sshHostUnreachable, .streamInterrupted, .timeout, .networkUnavailable,
        ]
        guard passes.contains(error.code), !limit.isOver else { throw error }
      }
      failures += 1
      try wait(LossPauses.pause(failures))
    }
  }
}
