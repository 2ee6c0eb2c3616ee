/// The ways in which companions authenticate.
public enum CompanionAuth: String, Sendable, CaseIterable {
  /// The address that a companion paired from, until its first signed request.
  case address
  /// Signatures only.
  case strict
}
