import Core
import Extraction
import Providers

/// What somebody asks: words, the material they are about, and files.
public struct ChatPrompt: Sendable {
  /// The question.
  public var text: String
  /// What was piped in.
  public var material: String?
  /// Files that go along.
  public var files: [AttachedContent]
  /// Strings that the record of the prompt carries.
  public var labels: [String: String]?

  /// Creates a prompt.
  public init(
    text: String, material: String? = nil, files: [AttachedContent] = [],
    labels: [String: String]? = nil
  ) {
    self.text = text
    self.material = material
    self.files = files
    self.labels = labels
  }

  /// The turn as it is kept: the question, the material, and the files beside them.
  func message() -> Message {
    Message(role: "user", text: words).with {
      $0.id = Identifier.make()
      $0.createdAt = .now
      $0.attachments = files.isEmpty ? nil : files.map(\.file)
      $0.labels = labels
    }
  }

  /// The question, and the material below it; a line ends with a line feed alone.
  public var words: String {
    [text, material ?? ""].filter { $0.contains { !$0.isWhitespace } }.joined(separator: "\n\n")
      .replacing("\r\n", with: "\n")
  }

  /// The bytes of the files by their digests.
  var contents: [String: [UInt8]] {
    Dictionary(files.map { ($0.file.sha256, $0.content) }) { $1 }
  }

  /// What the question is about, for who quotes instead of writing.
  func brief(after turns: [ModelRequest.Turn]) -> Brief {
    var sources = [Brief.Material]()
    if let material { sources.append(Brief.Material(source: "stdin", text: material)) }
    sources += files.compactMap { file in
      file.text.map { Brief.Material(source: file.file.name, text: $0) }
    }
    sources += turns.map { turn in
      Brief.Material(source: turn.role == "user" ? "the chat: you" : "the chat", text: turn.text)
    }
    // Material alone is a question on itself.
    let asked = text.contains { !$0.isWhitespace } ? text : material ?? ""
    return Brief(
      role: Role(rawValue: "assistant"), goal: asked, task: asked, sources: sources)
  }
}
