/// A part of a turn.
public enum RequestPart: Sendable, Hashable {
  /// A text.
  case text(String)
  /// An image.
  case image(RequestFile)
  /// A document that the provider reads itself, such as a PDF.
  case file(RequestFile)
  /// A tool call that the model made.
  case toolCall(ModelAnswer.ToolRequest)
  /// The result of a tool call.
  case toolResult(ToolOutput)

  /// The size of the part's text in bytes; its tokens are estimated from this size.
  var estimatedBytes: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .image: 0
    case .file(let file): file.content.count
    case .toolCall(let call): call.name.utf8.count + call.arguments.utf8.count
    case .toolResult(let output): output.text.utf8.count
    }
  }
}

/// A file attached to a turn.
public struct RequestFile: Sendable, Hashable {
  /// The name without its folder.
  public var name: String
  /// The media type.
  public var contentType: String
  /// The bytes of the file.
  public var content: [UInt8]

  /// Creates the file.
  public init(name: String, contentType: String, content: [UInt8]) {
    self.name = name
    self.contentType = contentType
    self.content = content
  }
}

/// The result of a tool call that a model requested.
public struct ToolOutput: Sendable, Hashable {
  /// The id of the tool call that this result belongs to.
  public var id: String
  /// The result as text.
  public var text: String
  /// `true` if the tool failed.
  public var isError: Bool

  /// Creates the output.
  public init(id: String, text: String, isError: Bool = false) {
    self.id = id
    self.text = text
    self.isError = isError
  }
}
