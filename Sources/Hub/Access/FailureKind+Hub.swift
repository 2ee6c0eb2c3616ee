public import Core

extension FailureKind {
  /// A request that is meant for another host.
  public static let misdirected = Self(rawValue: "misdirected")
  /// A request that a browser sends for a page of another origin.
  public static let crossOrigin = Self(rawValue: "crossOrigin")
}
