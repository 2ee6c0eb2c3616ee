public import Core

extension FailureKind {
  /// There was something, and it is there no more.
  public static let gone = Self(rawValue: "gone")
  /// The hub does not answer to the name that it was asked by.
  public static let misdirected = Self(rawValue: "host")
}
