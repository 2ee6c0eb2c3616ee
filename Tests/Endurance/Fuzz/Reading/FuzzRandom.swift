/// SplitMix64, so that a failing input comes again.
public struct FuzzRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers that depend on the seed and the place alone.
  public init(seed: UInt64, place: UInt64) {
    state = seed &* 0x2545_F491_4F6C_DD1D &+ place
    // Neighbours begin with alike states.
    state = next() ^ next()
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Whether something that happens once in so many times does.
  mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

  /// A number from 0 on, small ones far more often than large ones.
  mutating func small(below limit: Int) -> Int {
    Int.random(in: 0...Int.random(in: 0..<Swift.max(limit, 1), using: &self), using: &self)
  }
}
