import Command
import Core
import Hub
import HubClient
import Keys

extension Session {
  /// The name of the secret with which a hub authenticates at its collector.
  static let collectorKey = "otlp"

  /// Returns a collector with this hub's credentials: the secret `otlp`, else the tokens from `pair
  /// register` if the collector is another hub.
  func collector(_ url: String, _ configuration: Settings) throws(Failure) -> Collector {
    let keys = keys(configuration)
    let hub = try? HubChoice(url: url)
    let peer = hub.map { HubPeer($0, keys: keys, directories: directories) }
    let place = Blocking("collector.key")
    return try Collector(url) { (refused) async throws(Failure) in
      let (secret, isKnown) = try await place.run { () throws(Failure) in
        let secret = try keys.find(Self.collectorKey)?.secret
        // The operator's own token, which a peer on this machine would get, must not be sent to a
        // collector.
        return (secret, try hub.map { (hub) throws(Failure) in try keys.has(hub.keyName) } ?? false)
      }
      if let secret { return secret.contains(" ") ? secret : "Bearer \(secret)" }
      guard let peer, isKnown else { return nil }
      return try await peer.authorization(insteadOf: refused)
    }
  }
}
