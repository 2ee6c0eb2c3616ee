import CQRencode
public import Core

/// A QR code (ISO/IEC 18004) of a byte string, made by libqrencode.
public struct QRCode: Sendable, Hashable {
  /// The level of error correction: the share of a code that may be lost.
  public enum Level: String, Sendable, CaseIterable {
    /// 7 %.
    case low = "L"
    /// 15 %.
    case medium = "M"
    /// 25 %.
    case quartile = "Q"
    /// 30 %.
    case high = "H"

    fileprivate var raw: QRecLevel {
      switch self {
      case .low: QR_ECLEVEL_L
      case .medium: QR_ECLEVEL_M
      case .quartile: QR_ECLEVEL_Q
      case .high: QR_ECLEVEL_H
      }
    }
  }

  /// The number of modules on each side, without the margin.
  public let side: Int
  private let dark: [Bool]

  /// Encodes bytes in the smallest version that holds them (QRcode_encodeData(3)).
  ///
  /// - Parameters:
  ///   - bytes: The bytes that a reader decodes.
  ///   - level: The level of error correction.
  /// - Throws: `BadInput` of kind `tooLarge` if there are no bytes or too many.
  public init(_ bytes: [UInt8], level: Level) throws(Failure) {
    guard !bytes.isEmpty, let count = Int32(exactly: bytes.count),
      let code = QRcode_encodeData(count, bytes, 0, level.raw)
    else {
      throw Failure(
        .badInput, "\(bytes.count) bytes do not fit into a QR code of the level \(level.rawValue)",
        kind: .tooLarge)
    }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    // The lowest bit of each byte is the colour; the other bits describe the module's role.
    dark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
  }

  /// Returns `true` if a module is dark; modules outside the code are the margin, which is light.
  ///
  /// - Parameters:
  ///   - column: The column, from 0 at the left.
  ///   - row: The row, from 0 at the top.
  /// - Returns: `true` if the module is dark.
  public func isDark(column: Int, row: Int) -> Bool {
    guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
    return dark[row * side + column]
  }
}
