/// One event as it came, for as long as the call lasts that it was handed to.
public struct EventLine {
  /// The record without its line end.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// The number of its line, from 1.
  let number: Int
}
