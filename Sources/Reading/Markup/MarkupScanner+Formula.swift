extension MarkupScanner {
  /// Returns whether the script whose attributes begin at the index `first` is a displayed formula.
  ///
  /// It is nil if the script is no formula in TeX.
  func formulaDisplay(_ first: Int) -> Bool? {
    guard let type = value(.type, from: first)?.prefix(128),
      type.starts(withLowercase: NodeTree.formulaScript)
    else { return nil }
    let parameters = String(decoding: type, as: UTF8.self).lowercased()
    return parameters.dropFirst(NodeTree.formulaScript.utf8CodeUnitCount).contains("display")
  }

  /// Writes the TeX in the given range of the input as a `math` element.
  mutating func write(formula source: Range<Int>, isDisplay: Bool) {
    let tex = Self.withoutSection(input[source].trimmedSpace)
    guard !tex.isEmpty else { return }
    beginBody(before: .math)
    guard open.open(.math) else { return }
    let first = attributes.count
    deadline.spend(2 * tex.count)
    text.append(contentsOf: tex.prefix(limits.tagBytes))
    addAttribute(.alttext)
    text.append(contentsOf: NodeTree.formulaScript.bytes)
    addAttribute(.type)
    if isDisplay {
      text.append(contentsOf: "block".utf8)
      addAttribute(.display)
    }
    write(.math, first)
    // The element needs text, which is its weight among the text of the page.
    text.append(contentsOf: tex)
    endText()
    skeleton.append(contentsOf: "</math>".utf8)
    open.close(from: open.elements.count - 1)
  }

  /// Returns the given TeX without the CDATA section around it, which XHTML needs.
  private static func withoutSection(_ tex: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let (open, close) = ("<![CDATA[", "]]>")
    let inner = tex.drop { $0 == UInt8(ascii: "%") || isSpace($0) }
    guard inner.starts(with: open.utf8), inner.suffix(close.utf8.count).elementsEqual(close.utf8)
    else { return tex }
    let body = inner.dropFirst(open.utf8.count).dropLast(close.utf8.count).trimmedSpace
    return body.last == UInt8(ascii: "%") ? body.dropLast().trimmedSpace : body
  }
}

extension NodeTree {
  /// The type of a script that contains a formula in TeX, as MathJax reads it.
  static let formulaScript: StaticString = "math/tex"

  /// Returns the tree without the pictures and previews that MathJax put before formulas.
  ///
  /// They would repeat the formulas, and a picture is only a series of letters.
  func withoutFormulaPictures(_ deadline: Deadline) -> NodeTree {
    let isFormula = attributes.contains {
      $0.attribute == .type
        && text[Int($0.start)..<Int($0.start + $0.count)].elementsEqual(Self.formulaScript.bytes)
    }
    guard isFormula else { return self }
    var tree = self
    /// For each element, its last children so far that are pictures.
    var pictures: [Int32: [Int32]] = [:]
    for index in nodes.indices.dropFirst() {
      deadline.spend(2)
      let (node, parent) = (Int32(index), nodes[index].parent)
      if nodes[index].tag == .text {
        if bytes(of: node).contains(where: { !isSpace($0) }) { pictures[parent] = nil }
      } else if nodes[index].tag == .math,
        value(.type, of: node)?.elementsEqual(Self.formulaScript.bytes) ?? false
      {
        for picture in pictures[parent] ?? [] { tree.drop(picture) }
        pictures[parent] = nil
      } else if value(.class, of: node)?.starts(with: "MathJax".utf8) ?? false {
        pictures[parent, default: []].append(node)
      } else {
        pictures[parent] = nil
      }
    }
    return tree
  }
}
