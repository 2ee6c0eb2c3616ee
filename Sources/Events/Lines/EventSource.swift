public import Core

/// A source of events: a stream of bytes with one record per line.
///
/// A file, stdin, compressed data, or a log whose stored records become lines.
public protocol EventSource: AnyObject {
  /// The name in messages.
  var name: String { get }

  /// Waits until something can be read, or the end is reached.
  ///
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  /// - Returns: `true` if ``read(into:)`` would not wait.
  /// - Throws: `Interrupted` if the process is to end.
  func isReady(within milliseconds: Int32) throws(Failure) -> Bool

  /// Reads the available bytes, and waits for some if there are none.
  ///
  /// - Parameter buffer: The buffer, which is not empty.
  /// - Returns: The number of bytes; 0 at the end.
  /// - Throws: `StorageFailed`, `BadInput` for damaged compressed data, `Interrupted`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int
}
