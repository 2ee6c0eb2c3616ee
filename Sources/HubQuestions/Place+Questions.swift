public import Core
public import HubClient
public import Watching

/// Methods for questions to a place and changes at a place.
extension Place {
  /// Returns the source of the place's state.
  ///
  /// For a hub, stored responses are used while the hub is unreachable.
  ///
  /// - Throws: `StorageFailed` if the store or the log of this machine cannot be opened.
  public func lookout() throws(Failure) -> any Lookout {
    guard let hub else { return try LocalLookout(directories, report: report) }
    return HubAnswers(hub, directories, interruption: interruption)
  }

  /// The steerer that controls agents, decides gates and changes settings at the place.
  public var steerer: any Steerer {
    guard let hub else { return ownSteerer }
    return HubSteering(hub, interruption: interruption, report: report)
  }

  /// The steerer of this machine's agents and gates.
  ///
  /// A gate that a hub owns is decided at that hub.
  public var ownSteerer: any Steerer {
    LocalSteering(directories, interruption: interruption, limits: limits, report: report) {
      (url) throws(Failure) in try hub(at: url).steerer
    }
  }

  /// Runs the given work with the place's steerer, on a thread that may block.
  ///
  /// - Returns: The result of the work.
  /// - Throws: The errors of the work.
  public func steer<Value: Sendable>(
    _ steer: @escaping @Sendable (any Steerer) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let steerer = steerer
    return try await wait { () throws(Failure) in try steer(steerer) }
  }
}
