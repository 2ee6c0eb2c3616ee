import Core

extension FailureKind {
  /// A port that no page is fetched from.
  static let blockedPort = Self(rawValue: "blockedPort")
  /// An address that the site's robots.txt does not allow.
  static let robots = Self(rawValue: "robots")
  /// A page behind too many redirects.
  static let tooManyRedirects = Self(rawValue: "tooManyRedirects")
}
