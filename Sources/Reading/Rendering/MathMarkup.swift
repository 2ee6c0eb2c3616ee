/// A converter of MathML without TeX to TeX.
///
/// It reads the elements of MathML Core, whose names ``Attribute/mathElement`` contains.
struct MathMarkup {
  private let tree: NodeTree
  private let content: ContentSelection
  private let deadline: Deadline

  /// Returns the given formula as TeX.
  static func tex(
    of math: Int32, in tree: NodeTree, _ content: ContentSelection, _ deadline: Deadline
  ) -> [UInt8] {
    Array(MathMarkup(tree: tree, content: content, deadline: deadline).row(math).utf8)
  }

  /// Returns the children of the given element, one after the other.
  private func row(_ node: Int32) -> String {
    var output = ""
    for child in tree.children(of: node) {
      let part = convert(child)
      deadline.spend(part.utf8.count)
      Self.join(part, to: &output)
    }
    return output
  }

  /// Appends the given TeX.
  ///
  /// A space separates a command from a letter after it.
  private static func join(_ part: String, to output: inout String) {
    guard let first = part.unicodeScalars.first else { return }
    let command = output.utf8.suffix(16).reversed().prefix(while: isLetter)
    let isCommand =
      !command.isEmpty && output.utf8.dropLast(command.count).last == UInt8(ascii: "\\")
    if isCommand, first.isASCII, isLetter(UInt8(truncatingIfNeeded: first.value)) { output += " " }
    output += part
  }

  private func convert(_ node: Int32) -> String {
    guard !content.isDropped[Int(node)], deadline.spend(1) else { return "" }
    if tree[node].tag == .text { return Self.escaped(symbols(node)) }
    switch tree.string(.mathElement, of: node) {
    case "annotation", "annotation-xml", "mphantom", "mprescripts", "none": return ""
    case "semantics", "maction": return elements(node).first.map(convert) ?? ""
    case "mtext", "ms": return text(node)
    case "mi", "mo": return Self.named(tree.collapsedText(of: node, limit: 64, deadline))
    case "mspace": return " "
    case "mfrac": return fraction(node)
    case "msqrt": return "\\sqrt{\(row(node))}"
    case "mroot":
      let parts = elements(node).map(convert)
      return parts.count == 2 ? "\\sqrt[\(parts[1])]{\(parts[0])}" : parts.joined()
    case "msub", "munder": return scripts(node, [UInt8(ascii: "_")])
    case "msup": return scripts(node, [UInt8(ascii: "^")])
    case "mover": return over(node)
    case "msubsup", "munderover", "mmultiscripts":
      return scripts(node, [UInt8(ascii: "_"), UInt8(ascii: "^")])
    case "mfenced": return "(\(elements(node).map(convert).joined(separator: ", ")))"
    case "mtable":
      let rows = elements(node).map { row in elements(row).map(self.row).joined(separator: " & ") }
      return "\\begin{matrix} \(rows.joined(separator: " \\\\ ")) \\end{matrix}"
    default: return row(node)
    }
  }

  /// Returns the child elements of the given element.
  private func elements(_ node: Int32) -> [Int32] {
    tree.children(of: node).filter { tree[$0].tag != .text && !content.isDropped[Int($0)] }
  }

  private func symbols(_ node: Int32) -> String { collapsedSpace(tree.bytes(of: node)) }

  private func text(_ node: Int32) -> String {
    let text = Self.escaped(tree.collapsedText(of: node, limit: 1024, deadline))
    return text.isEmpty ? " " : "\\text{\(text)}"
  }

  private func fraction(_ node: Int32) -> String {
    let parts = elements(node).map(convert)
    return parts.count == 2 ? "\\frac{\(parts[0])}{\(parts[1])}" : parts.joined(separator: "/")
  }

  /// Returns the given element's base with its scripts, whose marks repeat.
  private func scripts(_ node: Int32, _ marks: [UInt8]) -> String {
    let children = elements(node)
    var output = children.first.map { Self.group(convert($0)) } ?? ""
    for (index, child) in children.dropFirst().enumerated() {
      let script = convert(child)
      guard !script.isEmpty else { continue }
      let mark = marks[index % marks.count]
      // A base has one script of each kind.
      if index >= marks.count { output += "{}" }
      output += "\(Character(UnicodeScalar(mark)))\(Self.braced(script))"
    }
    return output
  }

  /// Returns the given element's base with the accent or the text above it.
  private func over(_ node: Int32) -> String {
    let parts = elements(node).map(convert)
    guard parts.count == 2 else { return parts.joined() }
    if let accent = Self.accents[parts[1]] { return "\\\(accent){\(parts[0])}" }
    return Self.largeOperators.contains(parts[0])
      ? "\(parts[0])^\(Self.braced(parts[1]))" : "\\overset{\(parts[1])}{\(parts[0])}"
  }

  private static let accents = [
    "¯": "overline", "‾": "overline", "_": "overline", "^": "hat", "ˆ": "hat", "~": "tilde",
    "˜": "tilde", "→": "vec", "⃗": "vec", "˙": "dot", ".": "dot", "¨": "ddot",
  ]
  private static let largeOperators: Set = ["∑", "∏", "∫", "⋃", "⋂", "\\lim", "\\max", "\\min"]

  /// Returns the given base in braces if a script would otherwise belong to its last part only.
  private static func group(_ base: String) -> String {
    let isSimple = base.unicodeScalars.count < 2 || base.hasPrefix("\\") || isNumber(base)
    let isFenced = base.hasPrefix("(") && base.hasSuffix(")")
    return isSimple || isFenced ? base : "{\(base)}"
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  private static func braced(_ script: String) -> String {
    script.unicodeScalars.count == 1 ? script : "{\(script)}"
  }

  /// Returns the given identifier.
  ///
  /// Names of functions become commands, and other names of several letters are upright.
  private static func named(_ name: String) -> String {
    if functions.contains(name) { return "\\\(name)" }
    let isWord = name.utf8.count > 1 && name.utf8.allSatisfy(isLetter)
    return isWord ? "\\mathrm{\(name)}" : escaped(name)
  }

  private static let functions: Set = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "csc", "deg", "det", "dim", "exp",
    "gcd", "inf", "ker", "lim", "ln", "log", "max", "min", "sec", "sin", "sinh", "sup", "tan",
    "tanh",
  ]

  /// Returns the given symbols with a backslash before those that have a meaning in TeX.
  ///
  /// The invisible operators of MathML are left out.
  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": output += "\\backslash "
      case "{", "}", "%", "#", "&", "$", "_": output += "\\\(scalar)"
      case "\u{2061}", "\u{2062}", "\u{2063}", "\u{2064}": break
      case "−": output += "-"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
