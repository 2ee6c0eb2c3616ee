/// A part of a turn.
public enum RequestPart: Sendable, Hashable {
  /// What was said.
  case text(String)
  /// A picture.
  case image(RequestFile)
  /// A document that the provider reads itself, such as a PDF.
  case file(RequestFile)
  /// A tool that the model wanted called.
  case toolCall(ModelAnswer.ToolRequest)
  /// What came of it.
  case toolResult(ToolOutput)

  /// The size in bytes of text, by which its tokens are estimated.
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

/// A file that goes with a turn.
public struct RequestFile: Sendable, Hashable {
  /// Its name, without its folder.
  public var name: String
  /// Its media type.
  public var contentType: String
  /// Its bytes.
  public var content: [UInt8]

  /// Creates the file.
  public init(name: String, contentType: String, content: [UInt8]) {
    self.name = name
    self.contentType = contentType
    self.content = content
  }
}

/// What a tool gave for a model's call.
public struct ToolOutput: Sendable, Hashable {
  /// The id of the call.
  public var id: String
  /// What it gave, as text.
  public var text: String
  /// Whether the tool failed.
  public var isError: Bool

  /// Creates the output.
  public init(id: String, text: String, isError: Bool = false) {
    self.id = id
    self.text = text
    self.isError = isError
  }
}
