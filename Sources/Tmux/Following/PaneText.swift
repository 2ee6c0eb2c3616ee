public import Core
import Foundation

/// A converter of pane output to records.
///
/// Output is converted to text if it is valid UTF-8, and to base64 otherwise. If the bytes of a
/// character arrive in two pieces, the character belongs to the record of the second piece.
public struct PaneText: Sendable {
  /// The bytes of the unfinished character at the end of each pane's output, at most three.
  private var begun: [String: [UInt8]] = [:]
  /// The maximum number of panes whose unfinished characters are stored.
  private static let mostPanes = 4096

  /// Creates a converter for the output of one client.
  public init() {}

  /// Returns the record of the given output; nil if no character in it is complete yet.
  public mutating func record(_ output: TmuxOutput) -> TerminalOutput? {
    var bytes = output.bytes
    if !begun.isEmpty, let former = begun.removeValue(forKey: output.pane) {
      bytes = former + bytes
    }
    let rest = Self.begunBytes(bytes)
    if rest > 0, begun.count < Self.mostPanes {
      begun[output.pane] = Array(bytes.suffix(rest))
      bytes.removeLast(rest)
    }
    guard !bytes.isEmpty else { return nil }
    return Self.record(
      bytes, output.pane, output.ts, lagMs: output.lagMs.flatMap { $0 > 0 ? $0 : nil })
  }

  /// Returns a record of the given pane's unfinished bytes, for the end of its output or a gap in
  /// it; nil if there are none.
  public mutating func rest(of pane: String, at ts: Int64) -> TerminalOutput? {
    begun.removeValue(forKey: pane).map { Self.record($0, pane, ts, lagMs: nil) }
  }

  /// Returns records of the unfinished bytes of all panes.
  public mutating func rest(at ts: Int64) -> [TerminalOutput] {
    begun.keys.sorted().compactMap { rest(of: $0, at: ts) }
  }

  private static func record(
    _ bytes: [UInt8], _ pane: String, _ ts: Int64, lagMs: Int?
  ) -> TerminalOutput {
    let text = String(validating: bytes, as: UTF8.self)
    return TerminalOutput(
      ts: ts, paneId: pane, data: text,
      dataBase64: text == nil ? Data(bytes).base64EncodedString() : nil, lagMs: lagMs)
  }

  /// Returns the number of bytes at the end of `bytes` that begin an unfinished character.
  private static func begunBytes(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      let length =
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
      if length > count { return count }
      guard byte & 0xC0 == 0x80 else { return 0 }
    }
    return 0
  }
}
