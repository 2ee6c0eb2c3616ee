public import Core

extension FailureKind {
  /// The request names a host that the hub does not serve.
  public static let misdirected = Self(rawValue: "host")
  /// The signature is not valid for the device's key and the request.
  static let signature = Self(rawValue: "signature")
  /// The request names a folder that is not the chat's.
  static let otherFolder = Self(rawValue: "otherFolder")
  /// The same signed request was received before.
  static let replayed = Self(rawValue: "replayed")
  /// The hub may have forgotten the signature's nonce, because its clock jumped ahead and went
  /// back.
  static let clockWentBack = Self(rawValue: "clockWentBack")
  /// The device never paired, or has disconnected.
  static let notPaired = Self(rawValue: "notPaired")
  /// The request lacks the required signature.
  static let unsigned = Self(rawValue: "unsigned")
  /// A browser sent the request for a page of another origin.
  public static let crossOrigin = Self(rawValue: "crossOrigin")
}
