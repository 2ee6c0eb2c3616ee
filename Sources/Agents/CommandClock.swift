import Core
import Foundation

/// The time limits of a command, and the time at which each is reached.
struct CommandClock {
  /// The limits, in seconds; nil for none.
  struct Limits: Sendable {
    /// The maximum time without output.
    var idle: Double?
    /// The maximum time from the start to the end.
    var total: Double?
    /// A closure that returns `true` if the agent waits for a person; nil if it cannot wait.
    ///
    /// The closure may block.
    var isWaiting: (@Sendable () -> Bool)?
  }

  private let limits: Limits
  private let end: ContinuousClock.Instant?
  /// The time of the last activity that is not output, such as the start.
  private var activeAt = ContinuousClock.now
  /// `true` while another thread calls `isWaiting`.
  private var isAsking = false
  /// The failure that ends the command; nil while no limit is reached.
  private(set) var failure: Failure?

  /// Starts the clock with the given limits.
  init(_ limits: Limits) {
    self.limits = limits
    end = limits.total.map { .now + .seconds($0) }
  }

  /// Records that the command was active now, or may be active from now on.
  mutating func touch() { activeAt = .now }

  /// Returns the next time at which a limit may be reached; nil for none.
  ///
  /// - Parameters:
  ///   - lastOutput: The time of the command's last output; nil for none.
  ///   - isStopped: `true` if the command is stopped. It is then not idle.
  /// - Returns: The time.
  func due(lastOutput: ContinuousClock.Instant?, isStopped: Bool) -> ContinuousClock.Instant? {
    guard failure == nil else { return nil }
    let idle = isStopped || isAsking ? nil : limits.idle
    let idleEnd = idle.map { max(activeAt, lastOutput ?? activeAt) + .seconds($0) }
    return [idleEnd, end].compactMap(\.self).min()
  }

  /// Checks the limits, and sets ``failure`` if one is reached.
  ///
  /// If the command is idle, another thread first finds out whether the agent waits for a person.
  /// It adds its answer to the inbox.
  ///
  /// - Parameters:
  ///   - due: The time at which a limit may be reached; see ``due(lastOutput:isStopped:)``.
  ///   - inbox: The queue that receives the answer.
  /// - Returns: `true` if a limit was reached.
  mutating func check(due: ContinuousClock.Instant?, _ inbox: Inbox<AgentMessage>) -> Bool {
    guard let due, due <= .now else { return false }
    if let end, end <= .now {
      return fail(.total, "the command ran for \(Self.shown(limits.total)) and was ended")
    }
    guard let isWaiting = limits.isWaiting else { return failAsIdle() }
    isAsking = true
    Thread.detachNewThread { inbox.add(.personIsAsked(isWaiting())) }
    return false
  }

  /// Handles the answer whether the agent waits for a person.
  ///
  /// - Parameters:
  ///   - isWaiting: `true` if the agent waits. The time starts again.
  ///   - lastOutput: The time of the command's last output; nil for none.
  ///   - isStopped: `true` if the command is stopped.
  /// - Returns: `true` if a limit was reached.
  mutating func answer(
    isWaiting: Bool, lastOutput: ContinuousClock.Instant?, isStopped: Bool
  ) -> Bool {
    isAsking = false
    if isWaiting { touch() }
    guard let due = due(lastOutput: lastOutput, isStopped: isStopped), due <= .now, due != end
    else { return false }
    return failAsIdle()
  }

  private mutating func failAsIdle() -> Bool {
    fail(.idle, "the command printed nothing for \(Self.shown(limits.idle)) and was ended")
  }

  private mutating func fail(_ kind: FailureKind, _ words: String) -> Bool {
    failure = Failure(.timeout, words, kind: kind)
    return true
  }

  private static func shown(_ seconds: Double?) -> String {
    let seconds = seconds ?? 0
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
