/// The version that all tools share.
enum Version {
  /// The version number, according to Semantic Versioning 2.0.0.
  static let current = "0.1.0"
}
