public import Core
public import HubClient
public import Watching

/// Questions and changes at a place.
extension Place {
  /// Returns the teller of how everything stands: this machine, or its hub with the last answers in reserve.
  ///
  /// - Throws: `StorageFailed`.
  public func lookout() throws(Failure) -> any Lookout {
    guard let hub else { return try LocalLookout(directories, note: note) }
    return HubAnswers(hub, directories, interruption: interruption)
  }

  /// The steerer, which asks agents, decides and changes.
  public var steerer: any Steerer {
    guard let hub else { return ownSteerer }
    return HubSteering(hub, interruption: interruption, note: note)
  }

  /// The steerer of this machine's agents and gates; a gate that a hub owns is decided there.
  public var ownSteerer: any Steerer {
    LocalSteering(directories, interruption: interruption, limits: limits, note: note) {
      (url) throws(Failure) in try hub(at: url).steerer
    }
  }

  /// Asks agents, decides and changes, on a thread that may wait.
  ///
  /// - Returns: What that comes to.
  /// - Throws: What it throws.
  public func steer<Value: Sendable>(
    _ steer: @escaping @Sendable (any Steerer) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let steerer = steerer
    return try await wait { () throws(Failure) in try steer(steerer) }
  }
}
