extension NodeTree {
  /// Returns `true` if the given element is an image whose description is the TeX of a formula.
  ///
  /// Its classes are those of MediaWiki or WordPress.
  func isFormulaImage(_ node: Int32) -> Bool {
    guard self[node].tag == .img, let names = value(.class, of: node), names.count < 1024 else {
      return false
    }
    return names.split(whereSeparator: isSpace).contains { name in
      name.starts(with: "mwe-math-fallback-image".utf8)
        || name.elementsEqual("latex".utf8) || name.elementsEqual("tex".utf8)
    }
  }

  /// Returns `true` if the given element contains only a formula for screen readers.
  ///
  /// The formula's picture is beside it, and screen readers skip the picture.
  func isSpokenFormula(_ node: Int32) -> Bool {
    var inner = self[node].first
    if inner >= 0, self[inner].tag != .math { inner = self[inner].first }
    guard inner >= 0, self[inner].tag == .math else { return false }
    let parent = self[node].parent
    guard parent >= 0 else { return false }
    let beside = [self[node].next, self[parent].first]
    return beside.contains { $0 >= 0 && $0 != node && string(.ariaHidden, of: $0) == "true" }
  }
}
