public import Core

extension FailureKind {
  /// The requested object existed but was removed.
  public static let gone = Self(rawValue: "gone")
  /// The request names a host that the hub does not serve.
  public static let misdirected = Self(rawValue: "host")
}
