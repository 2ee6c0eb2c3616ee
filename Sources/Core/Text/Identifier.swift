import Synchronization

/// A generator of record ids, which are UUIDs of version 7 in lower case (RFC 9562, section 5.7).
public enum Identifier {
  private static let last = Mutex<UInt64>(0)

  /// Returns a new id.
  ///
  /// The ids that one process creates sort in the order of their creation. The twelve bits after
  /// the millisecond are a counter (RFC 9562, section 6.2, method 1). If it overflows within one
  /// millisecond, the clock part advances.
  public static func make() -> String {
    let random = UInt64.random(in: 0...UInt64.max)
    let now = UInt64(max(0, Timestamp.now.milliseconds)) << 12
    let stamp = last.withLock { last in
      last = max(now, last + 1)
      return last
    }
    let high = (stamp >> 12) << 16 | 0x7000 | (stamp & 0xFFF)
    let low = 0x8000_0000_0000_0000 | (random & 0x3FFF_FFFF_FFFF_FFFF)
    return grouped(hexadecimal(high) + hexadecimal(low))
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func grouped(_ digits: String) -> String {
    var result = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
