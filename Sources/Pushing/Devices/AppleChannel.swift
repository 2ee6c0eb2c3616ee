import Core
import HTTP

/// Messages to an app on a device of Apple, which was registered at this machine's hub.
///
/// They say what a message to a browser says.
struct AppleChannel: PushChannel {
  let replacesMessages = true
  let devices: PushDevices
  let deviceId: String
  let sender: AppleSender
  let name: String

  /// The time in seconds for which the service keeps a message for a device that is away.
  private static let lifetime: Int64 = 86_400

  /// The payload ("Generating a remote notification").
  private struct Payload: Encodable {
    struct Words: Encodable {
      var title: String
      var body: String
    }
    struct Notification: Encodable {
      var alert: Words
      var sound: String?
      var threadId: String?

      enum CodingKeys: String, CodingKey {
        case alert, sound
        case threadId = "thread-id"
      }
    }
    var aps: Notification
    /// The id of the alert, and what it is about.
    var alertId: String
    var kind: Alert.Kind
    var incidentId: String?
    var gateId: String?
    var sessionId: String?
    var agentId: String?
    var swarmId: String?
    var webUrl: String?
  }

  /// The largest payload in bytes.
  private static let longest = 4096

  func send(_ message: PushMessage) async throws(Failure) {
    guard case .app(let token) = try devices.place(of: deviceId) else {
      throw Failure(
        .notFound, "the app no longer asks for notifications", input: name,
        nextStep: "open the app on the device")
    }
    let alert = message.alert
    let isUrgent = alert.severity >= .error
    var fields = [
      HTTPField("apns-push-type", "alert"), HTTPField("apns-priority", isUrgent ? "10" : "5"),
      HTTPField(
        "apns-expiration", "\(Timestamp.now.milliseconds / 1000 + Self.lifetime)"),
    ]
    if let topic = message.topic { fields.append(HTTPField("apns-collapse-id", topic)) }
    do throws(Failure) {
      try await sender.post(payload(message), to: token, fields)
    } catch {
      // 400 with this reason: the token is of another app, or of the other service.
      guard
        error.status == 410 || error.status == 400 && error.explanation.contains("BadDeviceToken")
      else { throw error }
      try devices.remove(.app(token), of: deviceId)
      var failure = error
      failure.nextStep = "check 'environment', and open the app on the device"
      throw failure
    }
  }

  private func payload(_ message: PushMessage) throws(Failure) -> [UInt8] {
    let alert = message.alert
    let words = Payload.Words(title: message.title, body: message.quietWords)
    let notification = Payload.Notification(
      alert: words, sound: alert.severity >= .error ? "default" : nil, threadId: alert.swarmId)
    var payload = Payload(
      aps: notification, alertId: message.alertId, kind: alert.kind, incidentId: alert.incidentId,
      gateId: alert.gateId, sessionId: alert.sessionId, agentId: alert.agentId,
      swarmId: alert.swarmId, webUrl: message.url)
    do {
      let bytes = try RecordJSON.line(of: payload)
      if bytes.count <= Self.longest { return bytes }
      // An id can be long; the app reads the alert by its own.
      payload = Payload(
        aps: .init(alert: .init(title: message.title, body: alert.severity.rawValue)),
        alertId: message.id, kind: alert.kind)
      return try RecordJSON.line(of: payload)
    } catch {
      throw Failure(.badInput, "the message cannot be written as JSON: \(error)")
    }
  }
}
