import Core
import Cryptography
import Foundation
import HTTP
import Synchronization

/// The sender of messages to apps of one developer, by Apple's push service
/// (https://developer.apple.com/documentation/usernotifications, "Establishing a token-based
/// connection to APNs").
final class AppleSender: Sendable {
  /// The service for apps from the store, and for those under development.
  private static let services = [
    "production": "https://api.push.apple.com",
    "development": "https://api.sandbox.push.apple.com",
  ]
  /// The time in seconds for which a token is used; Apple wants 20 to 60 minutes.
  private static let lifetime = 2400.0

  private struct Token {
    var text: String
    var madeAt: Timestamp
  }

  private let key: P256PrivateKey
  private let keyId: String, teamId: String
  /// The bundle id of the app.
  let topic: String
  private let service: String
  private let client: HTTPClient
  private let allowsPrivate: Bool
  private let name: String
  private let token = Mutex<Token?>(nil)

  /// Creates the sender with the given settings.
  ///
  /// - Throws: `BadConfiguration` if a setting is missing or wrong; `KeyUnreadable` if the key's file
  ///   cannot be read or holds no key; `PermissionDenied` if others may read it; `ToolFailed` of the
  ///   kind `library` if libcrypto is missing.
  init(
    _ settings: Settings.PushSettings, of name: String, by client: HTTPClient
  ) throws(Failure) {
    func required(_ value: String?, _ setting: String) throws(Failure) -> String {
      guard let value, !value.isEmpty else {
        throw Failure(
          .badConfiguration, "'push.\(name).\(setting)' is missing", input: "push.\(name)")
      }
      return value
    }
    let path = try required(settings.keyFile, "key_file")
    guard let bytes = try PrivateFile.readCredential(path) else {
      throw Failure(.keyUnreadable, "there is no file '\(path)'", input: path)
    }
    guard let key = try P256PrivateKey(pem: String(decoding: bytes, as: UTF8.self)) else {
      throw Failure(.keyUnreadable, "'\(path)' holds no key of Apple (.p8)", input: path)
    }
    let environment = settings.environment ?? "production"
    guard let service = settings.url ?? Self.services[environment] else {
      throw Failure(
        .badConfiguration,
        "'push.\(name).environment' is '\(Visible.line(environment))', not production or development",
        input: "push.\(name)")
    }
    self.key = key
    keyId = try required(settings.keyId, "key_id")
    teamId = try required(settings.teamId, "team_id")
    topic = try required(settings.topic, "topic")
    (self.service, self.client, self.name) = (service, client, name)
    allowsPrivate = settings.allowsPrivate
  }

  /// Sends the given payload to the device with the given token.
  ///
  /// - Parameters:
  ///   - payload: The JSON.
  ///   - device: The device's token, in hexadecimal digits.
  ///   - fields: Further header fields.
  /// - Throws: The failure of the attempt.
  func post(_ payload: [UInt8], to device: String, _ fields: [HTTPField]) async throws(Failure) {
    let address = try PushAddress(
      "\(service)/3/device/\(device)", allowsPrivate: allowsPrivate, of: name, by: client)
    let fields = fields + [HTTPField("apns-topic", topic)]
    let used = try authorization(at: .now)
    do throws(Failure) {
      try await address.post(payload, [HTTPField("authorization", used)] + fields)
    } catch {
      // The clock may have been set while the token was valid.
      guard error.status == 403, error.explanation.contains("ExpiredProviderToken") else {
        throw error
      }
      token.withLock { if $0?.text == used { $0 = nil } }
      let fresh = try authorization(at: .now)
      try await address.post(payload, [HTTPField("authorization", fresh)] + fields)
    }
  }

  /// Returns the `authorization` field, whose token is used again for a while.
  private func authorization(at now: Timestamp) throws(Failure) -> String {
    struct Claims: Encodable {
      var iss: String
      var iat: Int64
    }
    return try token.withLock { (known) throws(Failure) in
      if let known, (0..<Self.lifetime).contains(now.seconds(since: known.madeAt)) {
        return known.text
      }
      let text = try SignedToken.text(
        ["alg": "ES256", "kid": keyId], Claims(iss: teamId, iat: now.milliseconds / 1000), by: key)
      known = Token(text: "bearer \(text)", madeAt: now)
      return "bearer \(text)"
    }
  }
}
