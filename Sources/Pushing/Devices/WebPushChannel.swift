import Core
import Cryptography
import Foundation
import HTTP
import HubWords

/// Messages to a browser that subscribed on the hub's page (RFC 8030, RFC 8291, RFC 8292).
///
/// A message says what kind of problem there is and where, but repeats no output of an agent.
struct WebPushChannel: PushChannel {
  let replacesMessages = true
  let devices: PushDevices
  let deviceId: String
  let key: VAPIDKey
  let contact: String?
  let allowsPrivate: Bool
  let name: String
  let client: HTTPClient

  /// The time in seconds for which a push service keeps a message for a browser that is away.
  private static let lifetime = 86_400

  /// The payload of Declarative Web Push (W3C Push API, section 3.3), which a worker can read too.
  private struct Payload: Encodable {
    struct Notification: Encodable {
      var title: String
      var body: String
      var navigate: String
      var tag: String?
    }
    var version = 8030
    var notification: Notification

    enum CodingKeys: String, CodingKey {
      case version = "web_push"
      case notification
    }
  }

  func send(_ message: PushMessage) async throws(Failure) {
    // A browser may have renewed its subscription since the alert was added.
    guard case .browser(let subscription) = try devices.place(of: deviceId) else {
      throw Failure(
        .notFound, "the browser no longer asks for notifications", input: name,
        nextStep: "press 'Notify me' on the hub's page")
    }
    guard let publicKey = Base64URL.bytes(subscription.keys.p256dh),
      let secret = Base64URL.bytes(subscription.keys.auth),
      allowsPrivate || subscription.endpoint.hasPrefix("https://")
    else { throw Failure(.badInput, "the subscription of '\(name)' is not one", input: name) }
    guard subscription.sender ?? key.publicKey == key.publicKey else {
      throw Failure(
        .badConfiguration,
        "the browser asked for messages of another key than the secret '\(VAPIDKey.name)' here",
        input: name, nextStep: "run push-notify where the hub finds its secrets")
    }
    let body = try WebPushCipher.body(
      payload(message, subscription), for: publicKey, secret, ephemeral: P256PrivateKey())
    let address = try PushAddress(
      subscription.endpoint, allowsPrivate: allowsPrivate, of: name, by: client)
    var fields = [
      HTTPField("ttl", "\(Self.lifetime)"),
      HTTPField("urgency", Self.urgency(message.alert.severity)),
      HTTPField("content-encoding", "aes128gcm"),
      HTTPField(
        "authorization",
        try key.authorization(for: Self.origin(subscription.endpoint), contact: contact)),
    ]
    if let topic = message.topic { fields.append(HTTPField("topic", topic)) }
    do throws(Failure) {
      try await address.post(body, fields, type: "application/octet-stream")
    } catch {
      guard [404, 410].contains(error.status) else { throw error }
      try devices.remove(.browser(subscription), of: deviceId)
      var failure = error
      failure.nextStep = "press 'Notify me' on the hub's page again"
      throw failure
    }
  }

  private func payload(
    _ message: PushMessage, _ subscription: PushSubscription
  ) throws(Failure) -> [UInt8] {
    let origin = subscription.origin ?? ""
    var payload = Payload(
      notification: .init(
        title: message.title, body: message.quietWords,
        navigate: message.url ?? origin + Self.path(message.alert), tag: message.topic))
    do {
      let bytes = try RecordJSON.line(of: payload)
      if bytes.count <= WebPushCipher.longest { return bytes }
      // An id can be long; the page leads to what it names.
      payload.notification.navigate = origin + Self.path(nil)
      payload.notification.body = message.alert.severity.rawValue
      return try RecordJSON.line(of: payload)
    } catch {
      throw Failure(.badInput, "the message cannot be written as JSON: \(error)")
    }
  }

  /// Returns the path of the page's view about the given alert; nil for that of the overview.
  private static func path(_ alert: Alert?) -> String {
    let subjects = [
      ("incidents", alert?.incidentId), ("gates", alert?.gateId), ("sessions", alert?.sessionId),
      ("agents", alert?.agentId), ("swarms", alert?.swarmId),
    ]
    let found = subjects.first { $0.1 != nil }
    return "/page" + (found.map { "/\($0.0)/\(($0.1 ?? "").percentEncoded)" } ?? "")
  }

  private static func urgency(_ severity: Log.Level) -> String {
    switch severity {
    case .debug: "very-low"
    case .info: "low"
    case .warn: "normal"
    case .error, .critical: "high"
    }
  }

  private static func origin(_ url: String) -> String {
    let parts = URLComponents(string: url)
    let port = parts?.port.map { ":\($0)" } ?? ""
    return "\(parts?.scheme ?? "https")://\(parts?.encodedHost ?? "")\(port)"
  }
}
