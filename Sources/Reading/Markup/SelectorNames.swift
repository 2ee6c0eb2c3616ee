/// The names of tags and attributes, in lower case, that nothing but a selector looks at.
struct SelectorNames {
  private(set) var attributes: [[UInt8]] = []
  private(set) var tags: [[UInt8]] = []

  /// The attribute that the tree keeps a name's values in; nil when there are too many names.
  mutating func attribute(_ name: [UInt8]) -> Attribute? {
    if let known = Attribute.named(NameHash.of(name)) { return known }
    if let index = attributes.firstIndex(of: name) { return Attribute.selected[index] }
    guard attributes.count < Attribute.selected.count else { return nil }
    attributes.append(name)
    return Attribute.selected[attributes.count - 1]
  }

  /// The place of a tag's name among ``tags``.
  mutating func place(ofTag name: [UInt8]) -> Int {
    if let index = tags.firstIndex(of: name) { return index }
    tags.append(name)
    return tags.count - 1
  }
}
