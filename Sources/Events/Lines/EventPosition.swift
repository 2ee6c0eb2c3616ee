import Core

/// Where an event stands: the log it is of, and its number there.
public struct EventPosition: Sendable, Hashable {
  /// Tells the log from every other one.
  public var epoch = ""
  /// Counts the events of the log.
  public var sequence: Int64 = 0

  /// Before the first event of no log.
  public init() {}

  /// Reads an id such as `1f0c88a2b3d4e5f6-120`; nil for anything else.
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

  /// The id.
  public var id: String { "\(epoch)-\(sequence)" }
}
