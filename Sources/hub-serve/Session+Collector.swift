import Command
import Core
import Hub
import HubClient
import Keys

extension Session {
  /// The secret that lets a hub in at its collector.
  static let collectorKey = "otlp"

  /// A collector, and what lets this hub in there: the secret `otlp`, else the tokens that
  /// `pair register` got, where it is another hub.
  func collector(_ url: String, _ configuration: Settings) throws(Failure) -> Collector {
    let keys = keys(configuration)
    let hub = try? HubChoice(url: url)
    let peer = hub.map { HubPeer($0, keys: keys, directories: directories) }
    let place = Blocking("collector.key")
    return try Collector(url) { (refused) async throws(Failure) in
      let (secret, isKnown) = try await place.run { () throws(Failure) in
        let secret = try keys.find(Self.collectorKey)?.secret
        // The operator's own token, which a peer of this machine would get, is no collector's.
        return (secret, try hub.map { (hub) throws(Failure) in try keys.has(hub.keyName) } ?? false)
      }
      if let secret { return secret.contains(" ") ? secret : "Bearer \(secret)" }
      guard let peer, isKnown else { return nil }
      return try await peer.authorization(insteadOf: refused)
    }
  }
}
