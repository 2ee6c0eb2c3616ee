/// The SplitMix64 generator, with which a failing case can be repeated.
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator whose numbers depend only on the seed.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns `true` once in a number of times, on average.
  public mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }

  /// Returns one of several values, or another if there are none.
  public mutating func one<Value>(of values: [Value], else other: Value) -> Value {
    values.randomElement(using: &self) ?? other
  }
}
