import Core

/// A type of picture, as the first bytes of a file tell it, whatever a server calls it.
public enum ImageType: String, Sendable, CaseIterable {
  case png, jpeg, webp, gif, avif

  /// The type of a file; nil for none of these.
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

  /// What files of the type end with.
  public var suffix: String { self == .jpeg ? ".jpg" : ".\(rawValue)" }
}

/// A picture that a model made.
public struct GeneratedImage: Sendable, Hashable {
  /// The whole file.
  public var bytes: [UInt8]
  /// What it is.
  public var type: ImageType
}
