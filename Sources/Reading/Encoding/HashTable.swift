/// Values by hashes of what a page says, which are hashes already and are not hashed again.
///
/// Where a hash is found depends on a number that no page can know, so that none can choose words
/// which all meet in one place. At most half of the slots are taken.
struct HashTable<Value> {
  /// 0 is a free slot.
  private var keys = [UInt64](repeating: 0, count: 16)
  private var values = [Value?](repeating: nil, count: 16)
  private var factor = hashFactor
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The value of a hash; a value once set is never taken away.
  @inline(__always)
  subscript(hash: UInt64) -> Value? {
    get { values[slot(of: Self.key(hash))] }
    set {
      let slot = slot(of: Self.key(hash))
      values[slot] = newValue
      guard keys[slot] == 0 else { return }
      keys[slot] = Self.key(hash)
      count += 1
      if count * 2 > keys.count { grow() }
    }
  }

  /// The value of a hash, or what it begins with.
  @inline(__always)
  subscript(hash: UInt64, default first: Value) -> Value {
    get { self[hash] ?? first }
    set { self[hash] = newValue }
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
    values = [Value?](repeating: nil, count: oldKeys.count * 2)
    for (key, value) in zip(oldKeys, oldValues) where key != 0 {
      let slot = slot(of: key)
      keys[slot] = key
      values[slot] = value
    }
  }

  @inline(__always)
  private static func key(_ hash: UInt64) -> UInt64 { hash == 0 ? 1 : hash }

  /// Where a key is, or would be (Dietzfelbinger et al., "A reliable randomized algorithm for the
  /// closest-pair problem", 1997: multiply, and take high bits).
  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: (key &* factor) >> 32) & (keys.count - 1)
    while keys[slot] != key, keys[slot] != 0 { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }
}

/// Hashes of what a page says.
struct HashSet {
  private var table = HashTable<Void>()

  var isEmpty: Bool { table.isEmpty }
  var count: Int { table.count }

  @inline(__always)
  func contains(_ hash: UInt64) -> Bool { table[hash] != nil }

  mutating func insert(_ hash: UInt64) { table[hash] = () }
}

/// Odd, and another in each process.
private let hashFactor = UInt64.random(in: .min ... .max) | 1
