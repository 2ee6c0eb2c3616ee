import Core

/// A file format of images, detected from the first bytes of a file.
public enum ImageType: String, Sendable, CaseIterable {
  case png, jpeg, webp, gif, avif

  /// Detects the format of the given file; nil if it is unknown.
  public init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if bytes.dropFirst(4).starts(with: "ftypavif".utf8)
      || bytes.dropFirst(4).starts(with: "ftypavis".utf8)
    {
      self = .avif
    } else {
      return nil
    }
  }

  /// The file name extension of the format, with a dot.
  public var suffix: String { self == .jpeg ? ".jpg" : ".\(rawValue)" }
}

/// A generated image.
public struct GeneratedImage: Sendable, Hashable {
  /// The bytes of the image file.
  public var bytes: [UInt8]
  /// The format of the file.
  public var type: ImageType
}
