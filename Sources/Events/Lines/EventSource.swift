public import Core

/// Where events come from: a stream of bytes, one record a line.
///
/// A file, stdin, something compressed, or a log that gives each record it keeps as a line.
public protocol EventSource: AnyObject {
  /// What messages call it.
  var name: String { get }

  /// Waits until something can be read, or the end is reached.
  ///
  /// - Parameter milliseconds: How long at most; -1 waits on.
  /// - Returns: Whether ``read(into:)`` would not wait.
  /// - Throws: `Interrupted` when the process is to end.
  func isReady(within milliseconds: Int32) throws(Failure) -> Bool

  /// Reads what there is, and waits for it where there is nothing yet.
  ///
  /// - Parameter buffer: Where to put it; it has room.
  /// - Returns: How many bytes were read; 0 at the end.
  /// - Throws: `StorageFailed`, `BadInput` for what cannot be unpacked, `Interrupted`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int
}
