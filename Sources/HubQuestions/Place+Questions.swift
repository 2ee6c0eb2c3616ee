public import Core
public import HubClient
public import Watching

/// Questions and changes at a place.
extension Place {
  /// Returns the source of the current state: this machine, or the hub with its stored responses.
  ///
  /// - Throws: `StorageFailed`.
  public func lookout() throws(Failure) -> any Lookout {
    guard let hub else { return try LocalLookout(directories, note: note) }
    return HubAnswers(hub, directories, interruption: interruption)
  }

  /// The steerer of the place, which controls agents, decides gates and changes settings.
  public var steerer: any Steerer {
    guard let hub else { return ownSteerer }
    return HubSteering(hub, interruption: interruption, note: note)
  }

  /// The steerer of this machine's agents and gates; a gate that a hub owns is decided at the hub.
  public var ownSteerer: any Steerer {
    LocalSteering(directories, interruption: interruption, limits: limits, note: note) {
      (url) throws(Failure) in try hub(at: url).steerer
    }
  }

  /// Runs steering work on a thread that may block.
  ///
  /// - Returns: The result of the work.
  /// - Throws: What the work throws.
  public func steer<Value: Sendable>(
    _ steer: @escaping @Sendable (any Steerer) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let steerer = steerer
    return try await wait { () throws(Failure) in try steer(steerer) }
  }
}
