/// The declaration that takes effect, for each property, on one element.
struct HidingStyle {
  /// A way in which style hides an element's content.
  enum Trick: UInt8 {
    case display, visibility, opacity, size, place, letters, color
  }

  private var values = [Int32](repeating: 0, count: StyleProperty.allCases.count)
  private var ranks = [UInt32](repeating: 0, count: StyleProperty.allCases.count)
  private var isSet: UInt32 = 0
  /// The index of the strongest rule that set `display`, `visibility` or `opacity`.
  ///
  /// It is -1 for the `style` attribute.
  private(set) var source: Int32 = -1
  private var sourceRank: UInt32 = 0

  /// The rank of the `style` attribute.
  ///
  /// It is higher than the rank of every selector.
  static let inlineRank: UInt32 = 7

  mutating func reset() {
    isSet = 0
    source = -1
    sourceRank = 0
  }

  /// Adds the given declaration.
  ///
  /// It overrides earlier declarations whose rank is not higher.
  mutating func add(_ declaration: StyleSheet.Declaration, rank: UInt32, order: Int32) {
    let property = declaration.property.rawValue
    let rank = (declaration.isImportant ? 1 << 31 : 0) | rank << 28 | UInt32(order + 1)
    guard isSet >> UInt32(property) & 1 == 0 || ranks[property] <= rank else { return }
    isSet |= 1 << UInt32(property)
    values[property] = declaration.value
    ranks[property] = rank
    if property <= StyleProperty.opacity.rawValue, declaration.value != 0 || property == 2,
      rank >= sourceRank
    {
      source = order
      sourceRank = rank
    }
  }

  subscript(property: StyleProperty) -> Int32? {
    let index = property.rawValue
    guard isSet >> UInt32(index) & 1 == 1, values[index] != StyleLength.unknown else { return nil }
    return values[index]
  }

  /// The way in which all content of the element is hidden; nil if the element is not hidden.
  var trick: Trick? {
    guard isSet != 0 else { return nil }
    if self[.display] == 1 { return .display }
    if let opacity = self[.opacity], opacity <= 10 { return .opacity }
    if self[.transform] == 1 || self[.clip] == 1 { return .place }
    let isClipped = self[.overflow] == 1
    // If only the height is zero, a person can usually expand the box, so it does not count.
    if isClipped, isAtMost(10, .height, .maxHeight), isAtMost(10, .width, .maxWidth) {
      return .size
    }
    if self[.position] == 1, isAway(.left) || isAway(.right) || isAway(.top) || isAway(.bottom) {
      return .place
    }
    return isMoved(.textIndent) || isMoved(.marginLeft) || isMoved(.marginTop) ? .place : nil
  }

  /// The distance, in tenths of a pixel, at which nothing is visible any more.
  private static let far: Int32 = 9_990

  private func isMoved(_ property: StyleProperty) -> Bool {
    self[property].map { $0 <= -Self.far } ?? false
  }

  private func isAway(_ side: StyleProperty) -> Bool {
    self[side].map { $0 <= -Self.far || $0 >= 5 * Self.far } ?? false
  }

  private func isAtMost(_ most: Int32, _ first: StyleProperty, _ second: StyleProperty) -> Bool {
    (self[first].map { (0...most).contains($0) } ?? false)
      || (self[second].map { (0...most).contains($0) } ?? false)
  }
}
