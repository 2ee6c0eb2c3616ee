/// The body of `POST /companion/pairing/start`.
///
/// The request may also have no body.
public struct PairingStart: HubWord {
  /// The requested lifetime of the code in seconds; nil for the default.
  public var ttlSeconds: Double?

  /// Creates the body.
  public init(ttlSeconds: Double? = nil) { self.ttlSeconds = ttlSeconds }
}

/// The response to `POST /companion/pairing/start`.
public struct PairingStarted: HubWord {
  /// Always true.
  public var ok = true
  /// The code: six digits.
  public var code: String
  /// The time at which the code expires, in ISO 8601.
  public var expiresAt: String
  /// The payload of the QR code, as JSON.
  public var qrPayload: String
  /// The id of the code, for status queries.
  ///
  /// It is not secret.
  ///
  /// It is nil if the hub runs the first version.
  public var id: String?
  /// The number of seconds until typed digits are accepted again.
  ///
  /// After too many wrong attempts, they are refused for some time. It is nil if they are accepted
  /// now.
  public var typingAfterSeconds: Double?

  /// Creates the response.
  public init(id: String, code: String, expiresAt: String, qrPayload: String) {
    (self.code, self.expiresAt, self.qrPayload) = (code, expiresAt, qrPayload)
    self.id = id
  }
}

/// The body of `POST /companion/pairing/complete`.
public struct PairingCompletion: HubWord {
  /// The six digits of the code.
  public var pairingCode: String
  /// The token of the QR code; nil if the digits were typed.
  public var pairingToken: String?
  /// The name that the device gives itself.
  public var deviceName: String
  /// The device's public key, in any format that `DeviceKey` reads.
  public var devicePublicKey: String

  /// Creates the body.
  public init(
    pairingCode: String, pairingToken: String?, deviceName: String, devicePublicKey: String
  ) {
    (self.pairingCode, self.pairingToken) = (pairingCode, pairingToken)
    (self.deviceName, self.devicePublicKey) = (deviceName, devicePublicKey)
  }
}

/// The contents of a QR code for a companion.
public struct PairingPayload: HubWord {
  /// The name of the pairing protocol.
  public static let name = "copilotforge-pair-v1"

  /// The name of the pairing protocol: always ``name``.
  public var `protocol` = name
  /// The code: six digits.
  public var code: String
  /// The token: 128 random bits as 22 characters of base64url.
  public var token: String
  /// The time at which the code expires, in ISO 8601.
  public var expiresAt: String
  /// The URL of the hub.
  ///
  /// A client of the first version asks its user for the URL instead.
  public var url: String?
  /// The SHA-256 of the hub's public key (SubjectPublicKeyInfo) in base64; nil without TLS.
  public var tls: String?

  /// Creates the payload.
  public init(code: String, token: String, expiresAt: String, url: String?, tls: String?) {
    (self.code, self.token, self.expiresAt) = (code, token, expiresAt)
    (self.url, self.tls) = (url, tls)
  }

  /// Returns `true` if the given text is a code: six digits, `^[0-9]{6}$`.
  public static func isCode(_ text: String) -> Bool {
    text.utf8.count == 6 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}
