public import Core

/// The state of a connection between a companion and a hub.
///
/// It is the response to `GET /companion/status` and to the requests that change the state.
public struct CompanionStatus: HubWord {
  /// Always `true`, because a failure has another body.
  public var ok = true
  /// `true` if a device is connected.
  public var connected: Bool
  /// The connected device; `null` if there is none.
  public var connectedDevice: ConnectedDevice?
  /// The parameters for signing requests.
  ///
  /// Only the response to a pairing contains them. Otherwise they are nil and not encoded.
  public var auth: SigningInvitation?
  /// The outcome of the latest pairing code.
  ///
  /// Only the hub's operator receives it. Otherwise it is nil and not encoded.
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
  /// The id of the code.
  ///
  /// It does not reveal the digits.
  public var id: String
  /// The device that paired with the code; nil if none has paired yet.
  public var device: TrustedDevice?

  /// Creates the description.
  public init(id: String, device: TrustedDevice?) { (self.id, self.device) = (id, device) }
}

/// The parameters with which a device signs its requests.
public struct SigningInvitation: HubWord {
  /// Always `rfc9421`.
  public var scheme = "rfc9421"
  /// The `keyid` that the device's signatures must contain.
  public var keyid: String

  /// Creates the invitation.
  public init(keyid: String) { self.keyid = keyid }

  /// Returns `true` if the text is a valid key id: at most 64 hexadecimal digits and hyphens.
  ///
  /// Other characters could end the quoted string in the signature's field, or the line.
  public static func isKeyId(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { $0.isHexadecimalDigit || $0 == UInt8(ascii: "-") }
  }
}
