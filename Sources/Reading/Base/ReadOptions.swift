/// How one document is read.
public struct ReadOptions: Sendable {
  /// Which renderings of the content are made.
  public enum Format: String, Sendable, CaseIterable {
    /// The content without marks.
    case text
    /// The content as Markdown.
    case markdown
  }

  /// The most Unicode scalars of `text` and of `markdown` that are kept; 0 keeps all.
  public var maximumCharacters: Int
  /// Seconds of CPU time that the extraction may take before it fails.
  public var deadlineSeconds: Double
  /// The address that relative links are resolved against; empty when there is none.
  public var baseURL: String
  /// The `Content-Type` header's value, when the document came with one.
  public var contentType: String?
  /// Unicode scalars of the text that are passed over before any is kept.
  public var offset = 0
  /// The one rendering that is made; nil makes both.
  public var format: Format?
  /// A selector of CSS whose elements are the content, instead of what the page's form suggests.
  public var selector: String?
  /// Whether all that a reader would see is the content, navigation and all.
  public var isWhole = false
  /// Whether hidden text is kept, marked, in its place.
  public var showsHidden = false
  /// Whether Markdown names the images of the content.
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
