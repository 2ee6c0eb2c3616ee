/// The reason that a page has no text.
public enum EmptyReason: String, Sendable, CaseIterable {
  /// Content that only a script can load.
  case needsScript
  /// Text that requires a subscription or a login.
  case paywall
  /// A cookie consent prompt in place of the text.
  case consent
  /// A page without text.
  case noText
}
