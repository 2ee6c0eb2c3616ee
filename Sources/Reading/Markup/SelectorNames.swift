/// The lower-case names of tags and attributes that only a selector uses.
struct SelectorNames {
  private(set) var attributes: [[UInt8]] = []
  private(set) var tags: [[UInt8]] = []

  /// Returns the placeholder attribute for the given name; nil if there are too many names.
  mutating func attribute(_ name: [UInt8]) -> Attribute? {
    if let known = Attribute.named(NameHash.of(name)) { return known }
    if let index = attributes.firstIndex(of: name) { return Attribute.selected[index] }
    guard attributes.count < Attribute.selected.count else { return nil }
    attributes.append(name)
    return Attribute.selected[attributes.count - 1]
  }

  /// Returns the index of the given tag name in ``tags``.
  ///
  /// A new name is added.
  mutating func place(ofTag name: [UInt8]) -> Int {
    if let index = tags.firstIndex(of: name) { return index }
    tags.append(name)
    return tags.count - 1
  }
}
