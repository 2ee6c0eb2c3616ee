import Core

/// The position of an event in a log.
///
/// It consists of the log's epoch and of the event's number in the log.
public struct EventPosition: Sendable, Hashable {
  /// The random text that identifies the log.
  public var epoch = ""
  /// The number of the event in the log.
  public var sequence: Int64 = 0

  /// Creates the position before all events.
  ///
  /// Its epoch is empty.
  public init() {}

  /// Parses an id such as `1f0c88a2b3d4e5f6-120`; returns nil for any other text.
  public init?(_ id: String) {
    let bytes = id.utf8
    guard let cut = bytes.firstIndex(of: UInt8(ascii: "-")), cut > bytes.startIndex,
      bytes[..<cut].allSatisfy({ $0.isDigit || $0.isLetter }),
      bytes[bytes.index(after: cut)...].allSatisfy(\.isDigit),
      let sequence = Int64(id[bytes.index(after: cut)...])
    else { return nil }
    epoch = String(id[..<cut])
    self.sequence = sequence
  }

  /// The id of the event at the position.
  public var id: String { "\(epoch)-\(sequence)" }
}
