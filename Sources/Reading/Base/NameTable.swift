/// Values by the hashes of names, made once and looked up for every word of every page.
///
/// The keys are hashes already, so that none is hashed again; at most half of the slots are taken.
struct NameTable<Value: Sendable>: Sendable {
  private var keys: [UInt64]
  private var values: [Value?]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - entries: Hashes of ``NameHash``, and what is to be found by them.
  ///   - combine: What stands for a name that comes more than once; the first unless told.
  init(
    _ entries: [(key: UInt64, value: Value)],
    combine: (Value, Value) -> Value = { first, _ in first }
  ) {
    var slots = 16
    while slots < entries.count * 2 { slots *= 2 }
    keys = [UInt64](repeating: 0, count: slots)
    values = [Value?](repeating: nil, count: slots)
    for (key, value) in entries {
      let slot = slot(of: key)
      keys[slot] = key
      values[slot] = values[slot].map { combine($0, value) } ?? value
    }
  }

  @inline(__always)
  subscript(key: UInt64) -> Value? { values[slot(of: key)] }

  /// Where a key is, or would be.
  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: key ^ key >> 32) & (keys.count - 1)
    while keys[slot] != key, values[slot] != nil { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }
}
