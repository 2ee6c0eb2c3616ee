public import Core
public import HubClient
public import Watching

/// Questions and changes at a place.
extension Place {
  /// Returns the lookout of the place: that of this machine, or of the hub with its stored
  /// responses.
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

  /// The steerer of this machine's agents and gates, which decides a gate that a hub owns at that
  /// hub.
  public var ownSteerer: any Steerer {
    LocalSteering(directories, interruption: interruption, limits: limits, note: note) {
      (url) throws(Failure) in try hub(at: url).steerer
    }
  }

  /// Runs the given work with the place's steerer, on a thread that may block.
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
