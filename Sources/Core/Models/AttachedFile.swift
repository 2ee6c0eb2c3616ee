/// A file that goes with a message.
public struct AttachedFile: Codable, Sendable, Hashable {
  /// The file's name, without its folder.
  public var name: String
  /// Its media type, by its first bytes.
  public var contentType: String
  /// Its size.
  public var bytes: Int
  /// The SHA-256 of its bytes, in hexadecimal.
  public var sha256: String
  /// Its bytes in base64, where they are handed on.
  public var data: String?

  /// Describes a file.
  public init(name: String, contentType: String, content: [UInt8]) {
    self.name = name
    self.contentType = contentType
    bytes = content.count
    sha256 = SHA256Digest.hexadecimal(content)
  }
}
