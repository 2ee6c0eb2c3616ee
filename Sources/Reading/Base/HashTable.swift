/// Values by hashes of what a page says, which are hashes already and are not hashed again.
///
/// Where a hash is found depends on a number that no page can know, so that none can choose words
/// which all meet in one place. At most half of the slots are taken.
struct HashTable<Value> {
  private var keys = [UInt64](repeating: 0, count: 16)
  /// The value of each key; nil in a free slot.
  private var values = [Value?](repeating: nil, count: 16)
  private let factor = hashFactor
  /// What of a product is left to choose a slot by: as many of its high bits as there are slots.
  private var shift: UInt64 = 60
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The value of a hash, nil of one that was not set.
  @inline(__always)
  subscript(hash: UInt64) -> Value? { values[slot(of: hash)] }

  /// The value of a hash, or what it begins with.
  @inline(__always)
  subscript(hash: UInt64, default first: Value) -> Value {
    get { self[hash] ?? first }
    set { set(hash, newValue) }
  }

  /// Sets the value of a hash; none is ever taken away.
  mutating func set(_ hash: UInt64, _ value: Value) {
    let slot = slot(of: hash)
    if values[slot] == nil {
      keys[slot] = hash
      count += 1
    }
    values[slot] = value
    if count * 2 > keys.count { grow() }
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
    values = [Value?](repeating: nil, count: oldKeys.count * 2)
    shift -= 1
    for (key, value) in zip(oldKeys, oldValues) where value != nil {
      let slot = slot(of: key)
      keys[slot] = key
      values[slot] = value
    }
  }

  /// Where a hash is, or would be (Dietzfelbinger et al., "A reliable randomized algorithm for the
  /// closest-pair problem", 1997: multiply by an odd number, and take the highest bits).
  @inline(__always)
  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: (hash &* factor) >> shift)
    while keys[slot] != hash, values[slot] != nil { slot = (slot + 1) & (keys.count - 1) }
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

  mutating func insert(_ hash: UInt64) { table.set(hash, ()) }
}

/// Odd, and another in each process.
private let hashFactor = UInt64.random(in: .min ... .max) | 1
