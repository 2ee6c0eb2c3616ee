/// The ways in which companions authenticate.
public enum CompanionAuth: String, Sendable, CaseIterable {
  /// Signatures; until its first signed request, a companion may be recognized by the address that
  /// it paired from.
  case address
  /// Signatures only.
  case strict
}
