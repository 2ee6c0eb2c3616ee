public import Core
import Providers

/// A file that is sent with a prompt, with its bytes.
public struct AttachedContent: Sendable, Hashable {
  /// The largest total size of one prompt's files.
  ///
  /// A turn with all its files must fit in one line of a stream.
  public static let maximumBytes = 11 << 20

  /// The description of the file.
  public var file: AttachedFile
  /// The bytes of the file.
  public var content: [UInt8]

  /// Creates the content of a file and detects its type from its bytes.
  ///
  /// - Parameters:
  ///   - name: The file's name without its folder.
  ///   - content: The bytes of the file.
  /// - Throws: `BadInput` of the kind `attachmentType` if no model reads files of this type, or
  ///   `tooLarge` if the file is too large.
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

  /// The text of a text file; nil for other types.
  var text: String? {
    file.contentType.hasPrefix("text/") ? String(decoding: content, as: UTF8.self) : nil
  }

  /// The file as a part of a request.
  var part: RequestPart {
    if let text { return .text("File '\(file.name)':\n\n\(text)") }
    let sent = RequestFile(name: file.name, contentType: file.contentType, content: content)
    return file.contentType.hasPrefix("image/") ? .image(sent) : .file(sent)
  }

  /// Returns the media type that the first bytes of `content` indicate, as in the WHATWG's MIME
  /// Sniffing; nil for other types.
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
