/// SplitMix64, so that a failing case comes again.
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers that depend on the seed alone.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// True once in so many times.
  public mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }

  /// One of several, or another where there are none.
  public mutating func one<Value>(of values: [Value], else other: Value) -> Value {
    values.randomElement(using: &self) ?? other
  }
}
