public import TestSupport

extension SeededRandom {
  /// Numbers that depend on the seed and the place alone.
  public init(seed: UInt64, place: UInt64) {
    var mixed = SeededRandom(seed: seed &* 0x2545_F491_4F6C_DD1D &+ place)
    // Neighbours begin with alike states.
    self.init(seed: mixed.next() ^ mixed.next())
  }

  /// A number from 0 on, small ones far more often than large ones.
  mutating func small(below limit: Int) -> Int {
    Int.random(in: 0...Int.random(in: 0..<Swift.max(limit, 1), using: &self), using: &self)
  }
}
