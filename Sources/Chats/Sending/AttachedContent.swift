public import Core
import Providers

/// A file that goes with a prompt, with its bytes.
public struct AttachedContent: Sendable, Hashable {
  /// The most bytes that go with one prompt: a turn with all its files fits a line of a stream.
  public static let maximumBytes = 11 << 20

  /// What it is.
  public var file: AttachedFile
  /// Its bytes.
  public var content: [UInt8]

  /// Takes a file in, and finds out what it is by its bytes.
  ///
  /// - Parameters:
  ///   - name: Its name, without its folder.
  ///   - content: Its bytes.
  /// - Throws: `BadInput` of kind `attachmentType` for what no model reads, `tooLarge`.
  public init(name: String, content: [UInt8]) throws(Failure) {
    guard content.count <= Self.maximumBytes else {
      throw Failure(
        .badInput, "'\(name)' is larger than \(Self.maximumBytes >> 20) MiB", kind: .tooLarge,
        input: name)
    }
    guard let type = Self.type(content) else {
      throw Failure(
        .badInput, "'\(name)' is not a text, an image or a PDF", kind: .attachmentType,
        input: name)
    }
    file = AttachedFile(name: name, contentType: type, content: content)
    self.content = content
  }

  init(file: AttachedFile, content: [UInt8]) {
    self.file = file
    self.content = content
  }

  /// The words of a text; nil for another thing.
  var text: String? {
    file.contentType.hasPrefix("text/") ? String(decoding: content, as: UTF8.self) : nil
  }

  /// The file as a model is sent it.
  var part: RequestPart {
    if let text { return .text("File '\(file.name)':\n\n\(text)") }
    let sent = RequestFile(name: file.name, contentType: file.contentType, content: content)
    return file.contentType.hasPrefix("image/") ? .image(sent) : .file(sent)
  }

  /// The media type by the first bytes, as the WHATWG's MIME Sniffing has them; nil for another.
  private static func type(_ content: [UInt8]) -> String? {
    let signs: [(bytes: [UInt8], at: Int, type: String)] = [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 0, "image/png"),
      ([0xFF, 0xD8, 0xFF], 0, "image/jpeg"), (Array("GIF87a".utf8), 0, "image/gif"),
      (Array("GIF89a".utf8), 0, "image/gif"), (Array("WEBP".utf8), 8, "image/webp"),
      (Array("%PDF-".utf8), 0, "application/pdf"),
    ]
    for sign in signs where content.dropFirst(sign.at).starts(with: sign.bytes) {
      return sign.type
    }
    let isText = !content.contains(0) && String(validating: content, as: UTF8.self) != nil
    return isText ? "text/plain" : nil
  }
}
