/// The ways in which companions authenticate.
public enum CompanionAuth: String, Sendable, CaseIterable {
  /// Companions sign their requests.
  ///
  /// Until its first signed request, a companion may also be recognized by the address from which
  /// it paired.
  case address
  /// Companions must always sign their requests.
  case strict
}
