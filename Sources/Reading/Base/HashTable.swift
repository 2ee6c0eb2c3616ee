/// A table of values whose keys are hashes of page content.
///
/// The keys are not hashed again. The slot of a key depends on a number that is random in each
/// process. A page can therefore not choose words that collide. At most half of the slots are in
/// use.
struct HashTable<Value> {
  private var keys = [UInt64](repeating: 0, count: 16)
  /// The value in each slot; nil if the slot is free.
  private var values = [Value?](repeating: nil, count: 16)
  private let factor = hashFactor
  /// The number of bits by which a product is shifted right.
  ///
  /// The remaining high bits are the slot.
  private var shift: UInt64 = 60
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The value of the given hash; nil if none was set.
  @inline(__always)
  subscript(hash: UInt64) -> Value? { values[slot(of: hash)] }

  /// The value of the given hash; the default if none was set.
  @inline(__always)
  subscript(hash: UInt64, default first: Value) -> Value {
    get { self[hash] ?? first }
    set { set(hash, newValue) }
  }

  /// Sets the value of the given hash.
  ///
  /// Values are never removed.
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

  /// Returns the slot of the given hash; a free slot if the hash has none.
  ///
  /// The hash is multiplied by an odd number, and the high bits of the product are used
  /// (Dietzfelbinger et al., "A reliable randomized algorithm for the closest-pair problem", 1997).
  @inline(__always)
  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: (hash &* factor) >> shift)
    while keys[slot] != hash, values[slot] != nil { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }
}

/// A set of hashes of page content.
struct HashSet {
  private var table = HashTable<Void>()

  var isEmpty: Bool { table.isEmpty }
  var count: Int { table.count }

  @inline(__always)
  func contains(_ hash: UInt64) -> Bool { table[hash] != nil }

  mutating func insert(_ hash: UInt64) { table.set(hash, ()) }
}

/// An odd number that is random in each process.
private let hashFactor = UInt64.random(in: .min ... .max) | 1
