/// The reason why a page has no text.
public enum EmptyReason: String, Sendable, CaseIterable {
  /// Only a script can load the content.
  case needsScript
  /// The text requires a subscription or a login.
  case paywall
  /// The page shows a cookie consent prompt instead of the text.
  case consent
  /// The page has no text.
  case noText
}
