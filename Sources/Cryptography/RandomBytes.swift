/// Random bytes for keys, tokens and nonces.
public enum RandomBytes {
  /// Returns the given number of bytes of the system's generator (getrandom(2)).
  public static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<(count + 7) / 8).map { _ in generator.next() as UInt64 }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
  }
}
