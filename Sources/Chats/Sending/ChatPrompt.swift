import Core
import Extraction
import Providers

/// A prompt: a question, the material that the question is about, and files.
public struct ChatPrompt: Sendable {
  /// The question.
  public var text: String
  /// The material that the caller read from stdin.
  public var material: String?
  /// The attached files.
  public var files: [AttachedContent]
  /// The labels that the prompt's record gets.
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

  /// Returns the turn to store: the question, the material, and the files.
  func message() -> Message {
    Message(role: "user", text: words).with {
      $0.id = Identifier.make()
      $0.createdAt = .now
      $0.attachments = files.isEmpty ? nil : files.map(\.file)
      $0.labels = labels
    }
  }

  /// The question, followed by the material.
  ///
  /// Line ends are line feeds.
  public var words: String {
    [text, material ?? ""].filter { $0.contains { !$0.isWhitespace } }.joined(separator: "\n\n")
      .replacing("\r\n", with: "\n")
  }

  /// `true` if the prompt has neither text nor files.
  var isEmpty: Bool { files.isEmpty && words.allSatisfy(\.isWhitespace) }

  /// The bytes of the attached files, by their SHA-256 digests.
  var contents: [String: [UInt8]] {
    Dictionary(files.map { ($0.file.sha256, $0.content) }) { $1 }
  }

  /// Returns the question and the material as a brief, for models that only quote.
  func brief(after turns: [ModelRequest.Turn]) -> Brief {
    var sources = [Brief.Material]()
    if let material { sources.append(Brief.Material(source: "stdin", text: material)) }
    sources += files.compactMap { file in
      file.text.map { Brief.Material(source: file.file.name, text: $0) }
    }
    sources += turns.map { turn in
      Brief.Material(source: turn.role == "user" ? "the chat: you" : "the chat", text: turn.text)
    }
    // Without a question, the material is the question itself.
    let asked = text.contains { !$0.isWhitespace } ? text : material ?? ""
    return Brief(
      role: Role(rawValue: "assistant"), goal: asked, task: asked, sources: sources)
  }
}
