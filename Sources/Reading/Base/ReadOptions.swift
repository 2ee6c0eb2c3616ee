/// Options for reading one document.
public struct ReadOptions: Sendable {
  /// A rendering of the content.
  public enum Format: String, Sendable, CaseIterable {
    /// The content as plain text.
    case text
    /// The content as Markdown.
    case markdown
  }

  /// The maximum length of `text` and of `markdown` in Unicode scalars; 0 means no limit.
  public var maximumCharacters: Int
  /// The maximum seconds of CPU time for the extraction, which then fails.
  public var deadlineSeconds: Double
  /// The base address of relative links; empty if unknown.
  public var baseURL: String
  /// The value of the `Content-Type` header, if the document had one.
  public var contentType: String?
  /// The number of Unicode scalars to skip at the start of the text.
  public var offset = 0
  /// The only rendering to produce; nil produces both.
  public var format: Format?
  /// A CSS selector for the elements to return as content, in place of automatic detection.
  public var selector: String?
  /// `true` to return all visible text as content, including navigation.
  public var isWhole = false
  /// `true` to include hidden text, marked as hidden.
  public var showsHidden = false
  /// `true` to include the images of the content in Markdown.
  public var keepsImages = false

  /// Creates options; all other properties have their defaults.
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
