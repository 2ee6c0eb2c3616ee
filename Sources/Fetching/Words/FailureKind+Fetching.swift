import Core

extension FailureKind {
  /// The kind of a failure about a port from which no page is fetched.
  static let blockedPort = Self(rawValue: "blockedPort")
  /// The kind of a failure about an address that the site's robots.txt does not allow.
  static let robots = Self(rawValue: "robots")
  /// The kind of a failure about a page with too many redirects before it.
  static let tooManyRedirects = Self(rawValue: "tooManyRedirects")
}
