/// A constant table of values whose keys are hashes of names.
///
/// It is used for every word of every page. The keys are hashes already and are not hashed again.
/// At most half of the slots are in use.
struct NameTable<Value: Sendable>: Sendable {
  private var keys: [UInt64]
  private var values: [Value?]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - entries: The values, each with the ``NameHash`` of its name.
  ///   - combine: A function that merges two values of the same name. By default, the first value
  ///     is used.
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

  /// Returns the slot of the given key; a free slot if the key has none.
  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: key ^ key >> 32) & (keys.count - 1)
    while keys[slot] != key, values[slot] != nil { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }
}
