/// A file attached to a message.
public struct AttachedFile: Codable, Sendable, Hashable {
  /// The file's name, without its folder.
  public var name: String
  /// The media type, detected from the first bytes.
  public var contentType: String
  /// The size in bytes.
  public var bytes: Int
  /// The SHA-256 of the content, in hexadecimal.
  public var sha256: String
  /// The content in base64, if the record includes it.
  public var data: String?

  /// Creates the description of a file.
  public init(name: String, contentType: String, content: [UInt8]) {
    self.name = name
    self.contentType = contentType
    bytes = content.count
    sha256 = SHA256Digest.hexadecimal(content)
  }
}
