/// The version that every tool tells.
public enum Version {
  /// By semantic versioning 2.0.0.
  public static let current = "0.1.0"
}
