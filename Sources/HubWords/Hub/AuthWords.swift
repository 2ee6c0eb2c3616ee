/// What a device sends to be let in: the body of `POST /v1/auth/device/register`.
public struct DeviceRegistration: HubWord {
  /// The code that the host showed.
  public var code: String
  /// What the device calls itself.
  public var deviceName: String
  /// Its ed25519 public key: 32 bytes in base64.
  public var devicePublicKey: String
  /// Where it is told of alerts while it is away.
  public var pushToken: String?

  /// Creates the body.
  public init(
    code: String, deviceName: String, devicePublicKey: String, pushToken: String? = nil
  ) {
    self.code = code
    self.deviceName = deviceName
    self.devicePublicKey = devicePublicKey
    self.pushToken = pushToken
  }
}

/// What a device is let in with: the answer to a registration and to a renewal.
public struct TokenGrant: HubWord {
  /// The device's id at the hub.
  public var deviceId: String
  /// What each request brings along.
  public var accessToken: String
  /// Seconds for which it is good.
  public var expiresIn: Int
  /// What gets the next pair, once.
  public var refreshToken: String

  /// Creates the answer.
  public init(deviceId: String, accessToken: String, expiresIn: Int, refreshToken: String) {
    self.deviceId = deviceId
    self.accessToken = accessToken
    self.expiresIn = expiresIn
    self.refreshToken = refreshToken
  }
}

/// The body of `POST /v1/auth/token/refresh`.
public struct TokenRenewal: HubWord {
  /// The token of the last pair.
  public var refreshToken: String

  /// Creates the body.
  public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// The body of `PUT /v1/auth/device/push-token`.
public struct PushTokenUpdate: HubWord {
  /// Where the device is told of alerts from now on; nil for nowhere.
  public var pushToken: String?

  /// Creates the body.
  public init(pushToken: String?) { self.pushToken = pushToken }
}
