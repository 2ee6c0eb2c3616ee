/// Why a page has no text.
public enum EmptyReason: String, Sendable, CaseIterable {
  /// A script would have to fill the page.
  case needsScript
  /// The text is for those who pay or sign in.
  case paywall
  /// A question about cookies stands before the text.
  case consent
  /// There is none.
  case noText
}
