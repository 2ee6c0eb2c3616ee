/// The version that every tool tells.
enum Version {
  /// By semantic versioning 2.0.0.
  static let current = "0.1.0"
}
