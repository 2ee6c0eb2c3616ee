public import Core

extension FailureKind {
  /// A request that is meant for another host.
  public static let misdirected = Self(rawValue: "host")
  /// A signature that is none of the device's, or not of this request.
  static let signature = Self(rawValue: "signature")
  /// A folder that a chat is not about.
  static let otherFolder = Self(rawValue: "otherFolder")
  /// A signed request that came before.
  static let replayed = Self(rawValue: "replayed")
  /// A request that was signed before the time to which the hub's clock had gone ahead.
  static let clockWentBack = Self(rawValue: "clockWentBack")
  /// A device that did not pair, or disconnected since.
  static let notPaired = Self(rawValue: "notPaired")
  /// A request without a signature where one is needed.
  static let unsigned = Self(rawValue: "unsigned")
  /// A request that a browser sends for a page of another origin.
  public static let crossOrigin = Self(rawValue: "crossOrigin")
}
