public import Core

extension FailureKind {
  /// A requested object that existed and was removed.
  public static let gone = Self(rawValue: "gone")
  /// A request under a host name that the hub does not serve.
  public static let misdirected = Self(rawValue: "host")
}
