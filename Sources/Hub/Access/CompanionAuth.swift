/// How companions show who they are.
public enum CompanionAuth: String, Sendable, CaseIterable {
  /// By the address that they paired from, until they sign for the first time.
  case address
  /// By a signature alone.
  case strict
}
