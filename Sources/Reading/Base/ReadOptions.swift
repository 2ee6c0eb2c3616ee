/// The options for reading one document.
public struct ReadOptions: Sendable {
  /// A form in which the content is rendered.
  public enum Format: String, Sendable, CaseIterable {
    /// The content is rendered as plain text.
    case text
    /// The content is rendered as Markdown.
    case markdown
  }

  /// The maximum length of `text` and of `markdown`, in Unicode scalars.
  ///
  /// It is 0 for no limit.
  public var maximumCharacters: Int
  /// The maximum CPU time for the extraction in seconds.
  ///
  /// A longer extraction fails.
  public var deadlineSeconds: Double
  /// The base address that relative links are resolved against; empty if it is unknown.
  public var baseURL: String
  /// The value of the `Content-Type` header, if the document had one.
  public var contentType: String?
  /// The number of Unicode scalars to skip at the start of the text.
  public var offset = 0
  /// The only form in which the content is rendered; nil to render both.
  public var format: Format?
  /// A CSS selector for the elements to return as content; nil to detect the content automatically.
  public var selector: String?
  /// `true` to return all visible text as content, including navigation.
  public var isWhole = false
  /// `true` to include hidden text, marked as hidden.
  public var showsHidden = false
  /// `true` to include the images of the content in Markdown.
  public var keepsImages = false

  /// Creates options.
  ///
  /// All other properties have their default values.
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
