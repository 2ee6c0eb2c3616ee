/// Options for reading one document.
public struct ReadOptions: Sendable {
  /// A rendering of the content.
  public enum Format: String, Sendable, CaseIterable {
    /// The content without marks.
    case text
    /// The content as Markdown.
    case markdown
  }

  /// The maximum length of `text` and of `markdown` in Unicode scalars; 0 means no limit.
  public var maximumCharacters: Int
  /// Seconds of CPU time that the extraction may take before it fails.
  public var deadlineSeconds: Double
  /// The address that relative links are resolved against; empty if unknown.
  public var baseURL: String
  /// The value of the `Content-Type` header, if the document had one.
  public var contentType: String?
  /// Unicode scalars of the text to skip before the result begins.
  public var offset = 0
  /// The only rendering to produce; nil produces both.
  public var format: Format?
  /// A CSS selector for the elements to return as content, in place of automatic detection.
  public var selector: String?
  /// `true` to return all visible text as content, including navigation.
  public var isWhole = false
  /// `true` to include hidden text in its place, marked as hidden.
  public var showsHidden = false
  /// `true` to include the images of the content in Markdown.
  public var keepsImages = false

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
