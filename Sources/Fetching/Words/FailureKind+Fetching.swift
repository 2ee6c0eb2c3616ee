import Core

extension FailureKind {
  /// A port that pages do not come from.
  static let blockedPort = Self(rawValue: "blockedPort")
  /// The site's robots.txt does not allow it.
  static let robots = Self(rawValue: "robots")
  /// The page leads on too often.
  static let tooManyRedirects = Self(rawValue: "tooManyRedirects")
}
