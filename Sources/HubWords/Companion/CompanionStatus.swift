public import Core

/// The connection state: the response to `GET /companion/status` and to the requests that change
/// it.
public struct CompanionStatus: HubWord {
  /// Always `true`, because a failure has another body.
  public var ok = true
  /// `true` if a device is connected.
  public var connected: Bool
  /// The connected device; `null` if there is none.
  public var connectedDevice: ConnectedDevice?
  /// The signing parameters, in the response to a pairing; otherwise nil and not encoded.
  public var auth: SigningInvitation?
  /// The outcome of the latest pairing code, for the hub's operator; otherwise nil and not encoded.
  public var pairing: PairingProgress?

  /// Creates the response.
  public init(_ device: ConnectedDevice?) {
    connected = device != nil
    connectedDevice = device
  }

  /// Encodes all members, including null ones.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(ok, forKey: .ok)
    try members.encode(connected, forKey: .connected)
    try members.encode(connectedDevice, forKey: .connectedDevice)
    try members.encodeIfPresent(auth, forKey: .auth)
    try members.encodeIfPresent(pairing, forKey: .pairing)
  }
}

/// The outcome of a pairing code.
public struct PairingProgress: HubWord {
  /// The id of the code, which does not reveal its digits.
  public var id: String
  /// The device that paired with the code; nil if none has yet.
  public var device: TrustedDevice?

  /// Creates the description.
  public init(id: String, device: TrustedDevice?) { (self.id, self.device) = (id, device) }
}

/// The parameters with which a device signs its requests.
public struct SigningInvitation: HubWord {
  /// Always `rfc9421`.
  public var scheme = "rfc9421"
  /// The `keyid` of the device's signatures.
  public var keyid: String

  /// Creates the invitation.
  public init(keyid: String) { self.keyid = keyid }

  /// Returns `true` if the text is a key id: hexadecimal digits and hyphens, at most 64.
  ///
  /// Other characters could end the quoted string in the signature's field, or the line.
  public static func isKeyId(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { $0.isHexadecimalDigit || $0 == UInt8(ascii: "-") }
  }
}
