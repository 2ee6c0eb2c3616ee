import Command
import Core
import Hub
import HubClient
import Keys

extension Session {
  /// The name of the secret that authenticates a hub to its collector.
  static let collectorKey = "otlp"

  /// Returns the collector at the given URL, with this hub's credentials.
  ///
  /// These are the secret `otlp`. Without it, they are the tokens from `pair register` if the
  /// collector is another hub.
  func collector(_ url: String, _ configuration: Settings) throws(Failure) -> Collector {
    let keys = keys(configuration)
    let hub = try? HubChoice(url: url)
    let peer = hub.map { HubPeer($0, keys: keys, directories: directories) }
    let place = Blocking("collector.key")
    return try Collector(url) { (refused) async throws(Failure) in
      let (secret, isKnown) = try await place.run { () throws(Failure) in
        let secret = try keys.find(Self.collectorKey)?.secret
        // A hub on this machine would be sent the operator's own token, which a collector must not
        // receive.
        return (secret, try hub.map { (hub) throws(Failure) in try keys.has(hub.keyName) } ?? false)
      }
      if let secret { return secret.contains(" ") ? secret : "Bearer \(secret)" }
      guard let peer, isKnown else { return nil }
      return try await peer.authorization(insteadOf: refused)
    }
  }
}
