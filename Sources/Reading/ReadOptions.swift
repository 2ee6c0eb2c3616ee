/// How one document is read.
public struct ReadOptions: Sendable {
  /// The most Unicode scalars of `text` and of `markdown` that are kept; 0 keeps all.
  public var maximumCharacters: Int
  /// Seconds that the extraction may take before it fails.
  public var deadlineSeconds: Double
  /// The address that relative links are resolved against; empty when there is none.
  public var baseURL: String
  /// The `Content-Type` header's value, when the document came with one.
  public var contentType: String?

  /// Creates options; each has a default.
  public init(
    maximumCharacters: Int = 8000, deadlineSeconds: Double = 5, baseURL: String = "",
    contentType: String? = nil
  ) {
    self.maximumCharacters = maximumCharacters
    self.deadlineSeconds = deadlineSeconds
    self.baseURL = baseURL
    self.contentType = contentType
  }
}
