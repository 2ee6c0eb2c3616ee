/// Whether a device is connected to a host, and which.
public struct PairingStatus: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "status"

  /// Whether one is.
  public var connected: Bool
  /// Which; the member is there and null where none is.
  public var connectedDevice: ConnectedDevice?
  /// What the host is called here.
  public var host: String?
  /// Where the host is.
  public var url: String
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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

  /// Writes `connectedDevice` also where there is none.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(connected, forKey: .connected)
    try members.encode(connectedDevice, forKey: .connectedDevice)
    try members.encodeIfPresent(host, forKey: .host)
    try members.encode(url, forKey: .url)
    try members.encodeIfPresent(labels, forKey: .labels)
  }
}
