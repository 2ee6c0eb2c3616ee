/// The rules of a page's own `<style>` elements that may hide text.
///
/// Only selectors of a single element, such as `p.note` or `[hidden]`, and lists of them count.
/// Selectors that depend on an element's position or on user actions are ignored. So are
/// `@supports` rules, and `@media` rules that do not apply to all screens. The running time is
/// linear in the size of the style sheets.
struct StyleSheet {
  /// One declaration in a rule.
  struct Declaration {
    var property: StyleProperty
    var value: Int32
    var isImportant: Bool
  }

  /// A rule that applies to elements with all names in its selector.
  struct Rule {
    /// The hash of the tag's name; 0 if the rule applies to any tag.
    var tag: UInt64 = 0
    var id: UInt64 = 0
    /// The keys of the classes, of which there are `classCount`.
    var classes = SIMD4<UInt64>.zero
    var classCount = 0
    var wantsHidden = false
    /// The range of the rule's declarations in ``StyleSheet/declarations``.
    var declarations: Range<Int> = 0..<0
    /// The index of the previous rule with the same key; -1 if there is none.
    var previous: Int32 = -1

    /// The specificity of the rule's selector, from 0 to 6.
    var rank: UInt32 {
      if id != 0 { return 6 }
      let names = classCount + (wantsHidden ? 1 : 0)
      return UInt32(min(names, 2) * 2 + (tag == 0 ? 0 : 1))
    }
  }

  private(set) var rules: [Rule] = []
  private(set) var declarations: [Declaration] = []
  /// For each key, the index of the last rule with it.
  ///
  /// A rule's key is that of its id. If it has no id, it is that of a class, or else of its tag.
  private(set) var byName = HashTable<Int32>()

  /// The maximum number of rules.
  ///
  /// No readable page has as many.
  private static let maximumRules = 20_000
  private static let maximumBytes = 2 << 20

  var isEmpty: Bool { rules.isEmpty }

  init(_ sources: [ArraySlice<UInt8>]) {
    var left = Self.maximumBytes
    for source in sources {
      parse(source.prefix(left))
      left -= min(left, source.count)
    }
  }

  private mutating func parse(_ css: ArraySlice<UInt8>) {
    var scanner = StyleScanner(css)
    var simple: [Rule] = []
    while let block = scanner.next() {
      guard rules.count < Self.maximumRules else { return }
      // Rules whose selectors have several elements, as most have, are skipped.
      simple.removeAll(keepingCapacity: true)
      var rest = block.selectors
      while !rest.isEmpty {
        let selector = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[selector.endIndex...].dropFirst()
        if let rule = Self.rule(selector) { simple.append(rule) }
      }
      guard !simple.isEmpty else { continue }
      let first = declarations.count
      Self.add(block.body, to: &declarations)
      guard declarations.count > first else { continue }
      for var rule in simple where rules.count < Self.maximumRules {
        rule.declarations = first..<declarations.count
        let key = rule.id != 0 ? rule.id : rule.classCount > 0 ? rule.classes[0] : rule.tag
        rule.previous = byName[key, default: -1]
        byName.set(key, Int32(rules.count))
        rules.append(rule)
      }
    }
  }

  /// Returns the key of the given id.
  ///
  /// It differs from the key of a class with the same name.
  static func idKey(_ name: some Sequence<UInt8>) -> UInt64 { NameHash.of(name) ^ 0x1D }

  /// Returns the key of the given class.
  ///
  /// It differs from the key of a tag with the same name.
  static func classKey(_ name: NameHash) -> UInt64 { name.value ^ 0xC1A55 }

  /// Returns the key of the given tag, which is the hash of its name; 0 for ``Tag/inline``.
  static func tagKey(_ tag: Tag) -> UInt64 { tag == .inline ? 0 : tagKeys[Int(tag.rawValue)] }

  private static let tagKeys = Tag.names.map { NameHash.of($0) }

  /// Returns `true` if there is a rule for the given tag that requires neither a class nor an id.
  func hasRules(for tag: Tag) -> Bool { byName[Self.tagKey(tag)] != nil }

  /// Returns those declarations in the given `style` attribute that may hide text.
  static func declarations(in body: ArraySlice<UInt8>) -> [Declaration] {
    var declarations: [Declaration] = []
    add(body, to: &declarations)
    return declarations
  }

  private static func add(_ body: ArraySlice<UInt8>, to declarations: inout [Declaration]) {
    var rest = body
    while !rest.isEmpty {
      let declaration = StyleScanner.declaration(rest)
      rest = rest[declaration.endIndex...].dropFirst()
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
      var hash = NameHash()
      for byte in declaration[..<colon] where !isSpace(byte) { hash.add(byte.lowercased) }
      guard let property = StyleProperty.named(hash.value) else { continue }
      var value = declaration[(colon + 1)...].prefix(256)
      if value.first == 0x20 { value = value.dropFirst() }
      if !StyleScanner.isCompact(value) { value = StyleScanner.compact(value)[...] }
      let isImportant = value.hasSuffix("!important")
      if isImportant { value.removeLast(10) }
      while value.last == 0x20 { value.removeLast() }
      guard let meaning = property.value(value) else { continue }
      declarations.append(
        Declaration(property: property, value: meaning, isImportant: isImportant))
    }
  }

  /// Returns a rule for the given selector; nil if the selector describes several elements.
  private static func rule(_ text: ArraySlice<UInt8>) -> Rule? {
    let selector = text.trimmedSpace
    var rule = Rule()
    var index = selector.startIndex
    func name(from start: Int) -> ArraySlice<UInt8> {
      selector[start...].prefix { isNameByte($0) }
    }
    guard let first = selector.first, selector.count <= 256 else { return nil }
    if isLetter(first) {
      let tag = name(from: index)
      rule.tag = NameHash.of(tag.lazy.map(\.lowercased))
      index = tag.endIndex
    } else if first == UInt8(ascii: "*") {
      index += 1
    }
    while index < selector.endIndex {
      let mark = selector[index]
      if mark == UInt8(ascii: "["), selector[index...].elementsEqual("[hidden]".utf8) {
        rule.wantsHidden = true
        return rule
      }
      let name = name(from: index + 1)
      guard !name.isEmpty, mark == UInt8(ascii: ".") || mark == UInt8(ascii: "#") else {
        return nil
      }
      if mark == UInt8(ascii: "#") {
        rule.id = idKey(name)
      } else {
        guard rule.classCount < rule.classes.scalarCount else { return nil }
        rule.classes[rule.classCount] = classKey(NameHash(of: name))
        rule.classCount += 1
      }
      index = name.endIndex
    }
    // A rule for every element is a reset, which hides nothing.
    let isNamed = rule.tag != 0 || rule.id != 0 || rule.classCount > 0
    return isNamed ? rule : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
