public import Core

/// Whether a device is connected: the answer to `GET /companion/status` and to whatever changes it.
public struct CompanionStatus: HubWord {
  /// Always true: a failure has another body.
  public var ok = true
  /// Whether one is.
  public var connected: Bool
  /// Which; the member is there and null where none is.
  public var connectedDevice: ConnectedDevice?
  /// How the device is to sign, in the answer to a pairing; nil elsewhere, and not written.
  public var auth: SigningInvitation?
  /// What became of the code that was opened last, for the hub's operator; nil elsewhere, and not
  /// written.
  public var pairing: PairingProgress?

  /// Creates the answer.
  public init(_ device: ConnectedDevice?) {
    connected = device != nil
    connectedDevice = device
  }

  /// Writes all members, the null ones too.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(ok, forKey: .ok)
    try members.encode(connected, forKey: .connected)
    try members.encode(connectedDevice, forKey: .connectedDevice)
    try members.encodeIfPresent(auth, forKey: .auth)
    try members.encodeIfPresent(pairing, forKey: .pairing)
  }
}

/// What became of a code.
public struct PairingProgress: HubWord {
  /// Which code: not its digits.
  public var id: String
  /// The device that paired with it; nil where none did so far.
  public var device: TrustedDevice?

  /// Creates the description.
  public init(id: String, device: TrustedDevice?) { (self.id, self.device) = (id, device) }
}

/// How a device is to sign its requests, where it can.
public struct SigningInvitation: HubWord {
  /// Always `rfc9421`.
  public var scheme = "rfc9421"
  /// What the device writes as `keyid`.
  public var keyid: String

  /// Creates the invitation.
  public init(keyid: String) { self.keyid = keyid }

  /// `true` if the text is an id as hubs make them: hexadecimal digits and hyphens, 64 at most.
  ///
  /// Anything else could end the string that a signature quotes it in, or the line.
  public static func isKeyId(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { $0.isHexadecimalDigit || $0 == UInt8(ascii: "-") }
  }
}
