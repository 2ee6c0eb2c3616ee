public import Core

/// A source of events: a stream of bytes with one record per line.
///
/// Sources are files, stdin, compressed data and logs.
public protocol EventSource: AnyObject {
  /// The name of the source in messages.
  var name: String { get }

  /// Waits until bytes can be read or the end of the source is reached.
  ///
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  /// - Returns: `true` if ``read(into:)`` would not wait.
  /// - Throws: `Interrupted` if the process is to end.
  func isReady(within milliseconds: Int32) throws(Failure) -> Bool

  /// Reads the available bytes.
  ///
  /// If there are none, waits for some.
  ///
  /// - Parameter buffer: The buffer, which is not empty.
  /// - Returns: The number of bytes that were read; 0 at the end of the source.
  /// - Throws: `StorageFailed` if the source cannot be read; `BadInput` if compressed data is
  ///   damaged; `Interrupted` if the process is to end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int
}
