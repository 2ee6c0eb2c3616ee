/// The status of the connection between a device and a host.
public struct PairingStatus: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "status"

  /// `true` if a device is connected.
  public var connected: Bool
  /// The connected device; `null` in the record if there is none.
  public var connectedDevice: ConnectedDevice?
  /// The host's local name.
  public var host: String?
  /// The host's URL.
  public var url: String
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case connected, connectedDevice, host, url, labels
  }

  /// Creates the record.
  public init(connected: Bool, _ device: ConnectedDevice?, host: String?, url: String) {
    (self.connected, connectedDevice) = (connected, device)
    (self.host, self.url) = (host, url)
  }

  /// Encodes the record, with `null` for `connectedDevice` if no device is connected.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(connected, forKey: .connected)
    try members.encode(connectedDevice, forKey: .connectedDevice)
    try members.encodeIfPresent(host, forKey: .host)
    try members.encode(url, forKey: .url)
    try members.encodeIfPresent(labels, forKey: .labels)
  }
}
