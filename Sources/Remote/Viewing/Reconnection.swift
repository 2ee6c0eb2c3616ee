public import Core
import Foundation

/// Work that goes on over a new connection after one was lost.
///
/// The first attempt follows the loss at once; pauses between failed attempts grow from 0.2 to 10
/// seconds.
public struct Reconnection {
  private let reach: Reach
  private let interruption: Interruption
  /// For how long one tries in vain before giving up, in seconds.
  private let patience: Double

  /// Connects to a host.
  ///
  /// - Parameters:
  ///   - reach: The way to it.
  ///   - patience: Seconds; 0 never connects a second time.
  public init(to reach: Reach, patience: Double) {
    self.patience = patience
    interruption = reach.connector.interruption
    self.reach = reach
  }

  /// Connects, does some work, and does it again with a new connection as often as the connection is
  /// lost meanwhile.
  ///
  /// - Parameters:
  ///   - lost: Is told why, each time that a connection is lost.
  ///   - work: What to do; is told whether it is not the first time.
  /// - Throws: What `work` throws, but for the loss of a connection; what connecting throws in the end.
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
      // What is left of the old one ends before: the host would show two clients.
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
