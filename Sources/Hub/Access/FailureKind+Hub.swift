public import Core

extension FailureKind {
  /// A request for another host.
  public static let misdirected = Self(rawValue: "host")
  /// A signature that is not the device's, or not of this request.
  static let signature = Self(rawValue: "signature")
  /// A folder other than that of the chat.
  static let otherFolder = Self(rawValue: "otherFolder")
  /// A signed request that was received before.
  static let replayed = Self(rawValue: "replayed")
  /// A request signed before the time to which the hub's clock had jumped ahead.
  static let clockWentBack = Self(rawValue: "clockWentBack")
  /// A device that never paired, or has disconnected.
  static let notPaired = Self(rawValue: "notPaired")
  /// A missing signature where one is required.
  static let unsigned = Self(rawValue: "unsigned")
  /// A request that a browser sends for a page of another origin.
  public static let crossOrigin = Self(rawValue: "crossOrigin")
}
