import Foundation

/// The position in a file up to which its lines were read.
public struct TranscriptPosition: Codable, Sendable, Hashable {
  /// The device and the inode of the file.
  public var device, inode: UInt64
  /// The offset behind the last whole line.
  public var offset: Int64

  /// Creates the position.
  public init(device: UInt64, inode: UInt64, offset: Int64) {
    (self.device, self.inode, self.offset) = (device, inode, offset)
  }

  /// Creates the position at the beginning of the file with the given status.
  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), offset: 0)
  }

  /// Returns `true` if reading may continue here in the file with the given status.
  ///
  /// Another file, or one that has become shorter, is read from its beginning.
  func continues(in status: stat) -> Bool {
    device == UInt64(status.st_dev) && inode == UInt64(status.st_ino)
      && offset <= Int64(status.st_size)
  }
}
