/// The version of all tools.
enum Version {
  /// The number, by semantic versioning 2.0.0.
  static let current = "0.1.0"
}
