public import Core

/// The body of `POST /v1/page-links`, which requests a link that signs a browser in.
public struct PageLinkRequest: HubWord {
  /// The permissions of the browser: `read`, `decide` or `steer`; nil for the default.
  public var scope: DeviceScope?
  /// The name of the browser; nil for the one that its requests suggest.
  public var name: String?

  /// Creates the body.
  public init(scope: DeviceScope? = nil, name: String? = nil) {
    (self.scope, self.name) = (scope, name)
  }
}

/// The registration of a device: the body of `POST /v1/auth/device/register`.
public struct DeviceRegistration: HubWord {
  /// The code that the hub displayed.
  public var code: String
  /// The name that the device gives itself.
  public var deviceName: String
  /// The device's ed25519 public key: 32 bytes in base64.
  public var devicePublicKey: String
  /// The token with which push notifications of alerts are sent; nil for none.
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

/// The tokens of a device: the response to a registration and to a renewal.
public struct TokenGrant: HubWord {
  /// The device's id at the hub.
  public var deviceId: String
  /// The token that authenticates requests.
  public var accessToken: String
  /// The lifetime of the access token in seconds.
  public var expiresIn: Int
  /// The token with which the next pair of tokens is obtained.
  ///
  /// It is valid once.
  public var refreshToken: String

  /// Creates the response.
  public init(deviceId: String, accessToken: String, expiresIn: Int, refreshToken: String) {
    self.deviceId = deviceId
    self.accessToken = accessToken
    self.expiresIn = expiresIn
    self.refreshToken = refreshToken
  }
}

/// The body of `POST /v1/auth/token/refresh`.
public struct TokenRenewal: HubWord {
  /// The refresh token of the current pair of tokens.
  public var refreshToken: String

  /// Creates the body.
  public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// The body of `PUT /v1/auth/device/push-token`.
public struct PushTokenUpdate: HubWord {
  /// The new token for push notifications of alerts; nil to remove the current one.
  public var pushToken: String?

  /// Creates the body.
  public init(pushToken: String?) { self.pushToken = pushToken }
}
