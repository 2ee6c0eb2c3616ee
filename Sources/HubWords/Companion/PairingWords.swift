/// The body of `POST /companion/pairing/start`, which may be empty.
public struct PairingStart: HubWord {
  /// For how many seconds the code is wanted.
  public var ttlSeconds: Double?

  /// Creates the body.
  public init(ttlSeconds: Double? = nil) { self.ttlSeconds = ttlSeconds }
}

/// The answer to `POST /companion/pairing/start`.
public struct PairingStarted: HubWord {
  /// Always true.
  public var ok = true
  /// Six digits.
  public var code: String
  /// When they are good for nothing any more, as ISO 8601.
  public var expiresAt: String
  /// What the QR code says: JSON.
  public var qrPayload: String
  /// What the code is known by afterwards, which opens nothing; nil at a hub of the first version.
  public var id: String?
  /// For so many seconds the digits are not taken, since wrong ones were tried; nil where they are.
  public var typingAfterSeconds: Double?

  /// Creates the answer.
  public init(id: String, code: String, expiresAt: String, qrPayload: String) {
    (self.code, self.expiresAt, self.qrPayload) = (code, expiresAt, qrPayload)
    self.id = id
  }
}

/// The body of `POST /companion/pairing/complete`.
public struct PairingCompletion: HubWord {
  /// The six digits.
  public var pairingCode: String
  /// What the QR code has beside them; nil where they were typed.
  public var pairingToken: String?
  /// What the device calls itself.
  public var deviceName: String
  /// Its public key, in any form that `DeviceKey` reads.
  public var devicePublicKey: String

  /// Creates the body.
  public init(
    pairingCode: String, pairingToken: String?, deviceName: String, devicePublicKey: String
  ) {
    (self.pairingCode, self.pairingToken) = (pairingCode, pairingToken)
    (self.deviceName, self.devicePublicKey) = (deviceName, devicePublicKey)
  }
}

/// What a QR code says to a companion.
public struct PairingPayload: HubWord {
  /// The one protocol that there is.
  public static let name = "copilotforge-pair-v1"

  /// What this is.
  public var `protocol` = name
  /// Six digits.
  public var code: String
  /// 128 random bits: 22 characters of base64url.
  public var token: String
  /// When it is good for nothing any more, as ISO 8601.
  public var expiresAt: String
  /// Where the hub is; a client of the first version asks its user.
  public var url: String?
  /// The SHA-256 of the hub's public key (SubjectPublicKeyInfo) in base64, where it speaks TLS.
  public var tls: String?

  /// Creates what is to be shown.
  public init(code: String, token: String, expiresAt: String, url: String?, tls: String?) {
    (self.code, self.token, self.expiresAt) = (code, token, expiresAt)
    (self.url, self.tls) = (url, tls)
  }

  /// Whether a text is a code: six digits, `^[0-9]{6}$`.
  public static func isCode(_ text: String) -> Bool {
    text.utf8.count == 6 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}
