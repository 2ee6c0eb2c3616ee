import CQRencode
public import Core

/// A QR code (ISO/IEC 18004) of some bytes, made by libqrencode.
public struct QRCode: Sendable, Hashable {
  /// How much of a code may be lost and it is still read.
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

  /// How many modules it has on each side, without a margin.
  public let side: Int
  private let dark: [Bool]

  /// Encodes bytes, in the smallest version that holds them, by QRcode_encodeData(3).
  ///
  /// - Parameters:
  ///   - bytes: What a reader is to get.
  ///   - level: How much may be lost.
  /// - Throws: `BadInput` of kind `tooLarge` where there are too many bytes, or none.
  public init(_ bytes: [UInt8], level: Level) throws(Failure) {
    guard !bytes.isEmpty, let count = Int32(exactly: bytes.count),
      let code = QRcode_encodeData(count, bytes, 0, level.raw)
    else {
      throw Failure(
        .badInput, "\(bytes.count) bytes do not fit into a QR code of level \(level.rawValue)",
        kind: .tooLarge)
    }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    // The lowest bit of each byte is the colour; the others tell what the module is for.
    dark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
  }

  /// Whether a module is dark; what is outside is the margin, which is light.
  ///
  /// - Parameters:
  ///   - column: From 0 at the left.
  ///   - row: From 0 at the top.
  /// - Returns: Whether it is.
  public func isDark(column: Int, row: Int) -> Bool {
    guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
    return dark[row * side + column]
  }
}
