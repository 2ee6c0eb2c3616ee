public import Core

extension FailureKind {
  /// A request for a host other than the hub.
  public static let misdirected = Self(rawValue: "host")
  /// A signature that is not by the device or not over the request.
  static let signature = Self(rawValue: "signature")
  /// A folder other than that of the chat.
  static let otherFolder = Self(rawValue: "otherFolder")
  /// A signed request that was received before.
  static let replayed = Self(rawValue: "replayed")
  /// A signature whose nonce the hub may have forgotten because its clock jumped ahead and went
  /// back.
  static let clockWentBack = Self(rawValue: "clockWentBack")
  /// A request from a device that never paired or has disconnected.
  static let notPaired = Self(rawValue: "notPaired")
  /// A request without the required signature.
  static let unsigned = Self(rawValue: "unsigned")
  /// A request that a browser sends for a page of another origin.
  public static let crossOrigin = Self(rawValue: "crossOrigin")
}
