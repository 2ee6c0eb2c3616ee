/// A search for hidden content, in one pass over a tree.
struct VisibilityJudgement {
  /// The style that the text in an element inherits.
  private struct Look: Equatable {
    var isInvisible = false
    var hasNoLetters = false
    var color: Int32 = 0
    var background: Int32 = StyleColor.white
    /// `true` if a colour was set.
    ///
    /// Otherwise, colours hide no text.
    var isColored = false

    /// The way in which text with this style is hidden; nil if it is visible.
    var trick: HidingStyle.Trick? {
      if isInvisible { return .visibility }
      if hasNoLetters { return .letters }
      return isColored && StyleColor.areAlike(color, background) ? .color : nil
    }
  }

  private let tree: NodeTree
  private let sheet: StyleSheet
  private(set) var isHidden: [Bool]
  private(set) var count = 0
  /// For each node, the way in which it is hidden; nil if it is visible.
  ///
  /// The content of an element is hidden by the element's own style, and a text by an inherited
  /// style.
  private var trick: [HidingStyle.Trick?]
  /// For each hidden element, the index of the rule that hides it; -1 for its `style` attribute.
  private var source: [Int32: Int32] = [:]
  /// For each node, the number of letters in it, and the number outside of links and menus.
  ///
  /// The number of elements in it that structure text is recorded, too.
  private var length: [Int32]
  private var ownLength: [Int32]
  private var blocks: [Int32]
  /// For each node, `true` if it is in a headline of the page or contains one.
  private var isHeadline: [Bool]
  /// The number of rules and names that may still be examined.
  ///
  /// A limit is needed because a page may have thousands of rules for one name and thousands of
  /// elements with that name.
  private var rulesLeft: Int
  private let deadline: Deadline
  /// The keys of the current element's id and classes.
  private var names: [UInt64] = []

  init(_ tree: NodeTree, _ sheet: StyleSheet, _ deadline: Deadline) {
    self.tree = tree
    self.sheet = sheet
    self.deadline = deadline
    let count = tree.nodes.count
    rulesLeft = min(20_000_000, 1_000_000 + 256 * (count + sheet.rules.count))
    isHidden = [Bool](repeating: false, count: count)
    trick = [HidingStyle.Trick?](repeating: nil, count: count)
    length = [Int32](repeating: 0, count: count)
    ownLength = length
    blocks = length
    isHeadline = isHidden
  }

  mutating func run() {
    guard judge() else { return }
    measure()
    spareLoadingTricks()
    mark()
  }

  /// Judges each element by its own style, and each text by the style that it inherits.
  ///
  /// - Returns: `false` if everything is visible.
  private mutating func judge() -> Bool {
    var looks = [Look()]
    /// For each element, the index of its style in `looks`. Most elements have their parent's
    /// style.
    var look = [Int32](repeating: 0, count: tree.nodes.count)
    var style = HidingStyle()
    var isAnyHidden = false
    let openable = openable()
    /// For each element, `true` if it is in a part around the content, such as a header.
    ///
    /// Controls in such a part open menus.
    var isAround = [Bool](repeating: false, count: tree.nodes.count)
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      guard deadline.spend(1) else { return false }
      let parent = node.parent < 0 ? 0 : look[Int(node.parent)]
      look[index] = parent
      guard node.tag != .text else {
        trick[index] = looks[Int(parent)].trick
        isAnyHidden = isAnyHidden || trick[index] != nil
        continue
      }
      guard node.count > 0 || sheet.hasRules(for: node.tag) else { continue }
      style.reset()
      isHidden[index] = collect(Int32(index), into: &style)
      // A page that is hidden entirely waits for a script to show it.
      let isPage = node.tag == .html || node.tag == .body
      isAround[index] =
        node.parent >= 0 && isAround[Int(node.parent)] || Self.around.contains(node.tag)
      let isOpenable = !openable.isEmpty && !isAround[index] && opens(Int32(index), openable)
      if isPage || isOpenable && style.trick != .place && style.trick != .size {
        isHidden[index] = false
      } else if !isHidden[index], let found = style.trick,
        found != .place && found != .size || !tree.isSpokenFormula(Int32(index))
      {
        trick[index] = found
        source[Int32(index)] = style.source
      }
      isAnyHidden = isAnyHidden || isHidden[index] || trick[index] != nil
      if let changed = Self.changed(
        looks[Int(parent)], by: style, isPage: isPage, isShown: isPage || isOpenable)
      {
        look[index] = Int32(looks.count)
        looks.append(changed)
      }
    }
    return isAnyHidden
  }

  /// Returns the ids of the elements that a control opens, such as a tab or a foldable heading.
  ///
  /// These elements count as visible, like the content of `details`.
  private func openable() -> HashSet {
    var ids = HashSet()
    for value in tree.attributes where value.attribute == .ariaControls && ids.count < 10_000 {
      let names = tree.text[Int(value.start)..<Int(value.start + value.count)]
      for name in names.split(maxSplits: 16, whereSeparator: isSpace) {
        ids.insert(NameHash.of(name))
      }
    }
    return ids
  }

  private static let around = Tag.Group(
    .nav, .header, .footer, .aside, .form, .dialog, .menu, .ul, .ol, .search)

  /// Returns `true` if a control opens the given element.
  ///
  /// Menus and dialogs do not count.
  private func opens(_ node: Int32, _ openable: HashSet) -> Bool {
    guard let id = tree.value(.id, of: node), openable.contains(NameHash.of(id)) else {
      return false
    }
    let role = tree.string(.role, of: node)
    return role == nil || role == "tabpanel" || role == "region"
  }

  /// Collects the styles that apply to the given element.
  ///
  /// - Returns: `true` if the element's attributes hide it.
  private mutating func collect(_ node: Int32, into style: inout HidingStyle) -> Bool {
    let element = tree[node]
    var inline: ArraySlice<UInt8>?
    names.removeAll(keepingCapacity: true)
    var isMarked = false
    var hasHidden = false
    for value in tree.attributes[Int(element.start)..<Int(element.start + element.count)] {
      let bytes = tree.text[Int(value.start)..<Int(value.start + value.count)]
      deadline.spend(bytes.count + 1)
      switch value.attribute {
      // `hidden=until-found` hides as well, because only a search in the page shows the element.
      case .hidden:
        isMarked = isMarked || !isStreamed(node)
        hasHidden = true
      case .ariaHidden where bytes.trimmedSpace.lazy.map(\.lowercased).elementsEqual("true".utf8):
        // People see a formula's image, which screen readers skip.
        isMarked = isMarked || !tree.isFormulaImage(node)
      case .style: inline = bytes
      case .id where !sheet.isEmpty: names.append(StyleSheet.idKey(bytes))
      case .class where !sheet.isEmpty:
        addClasses(bytes)
      case .color:
        style.add(Self.color(.color, bytes), rank: 0, order: -1)
      case .bgcolor:
        style.add(Self.color(.background, bytes), rank: 0, order: -1)
      default: continue
      }
    }
    if isMarked { return true }
    if !sheet.isEmpty { apply(element.tag, hasHidden, to: &style) }
    for declaration in inline.map(StyleSheet.declarations) ?? [] {
      style.add(declaration, rank: HidingStyle.inlineRank, order: Int32.max >> 4)
    }
    return false
  }

  /// Returns `true` if React streamed the given element.
  ///
  /// Its script will move and show the element.
  private func isStreamed(_ node: Int32) -> Bool {
    tree.value(.id, of: node)?.starts(with: "S:".utf8) ?? false
  }

  private static func color(
    _ property: StyleProperty, _ attribute: ArraySlice<UInt8>
  ) -> StyleSheet.Declaration {
    let value = StyleColor.value(StyleScanner.compact(attribute.prefix(32))[...])
    return StyleSheet.Declaration(property: property, value: value, isImportant: false)
  }

  /// Adds the names in the given class attribute.
  ///
  /// At most 64 names are added.
  private mutating func addClasses(_ bytes: ArraySlice<UInt8>) {
    var hash = NameHash()
    var isName = false
    var count = 0
    for byte in bytes where count < 64 {
      if !isSpace(byte) {
        hash.add(byte)
        isName = true
      } else if isName {
        names.append(StyleSheet.classKey(hash))
        hash = NameHash()
        isName = false
        count += 1
      }
    }
    if isName { names.append(StyleSheet.classKey(hash)) }
  }

  /// Applies the rules that match the given tag and ``names``.
  private mutating func apply(_ tag: Tag, _ hasHidden: Bool, to style: inout HidingStyle) {
    let tagName = StyleSheet.tagKey(tag)
    let before = rulesLeft
    defer { deadline.spend(names.count + 1 + before - rulesLeft) }
    for place in 0...names.count {
      var index = sheet.byName[place < names.count ? names[place] : tagName] ?? -1
      while index >= 0, rulesLeft > 0 {
        // A rule of several classes is compared with all names of an element.
        rulesLeft -= 1 + names.count / 4
        let rule = sheet.rules[Int(index)]
        if rule.tag == 0 || rule.tag == tagName, rule.id == 0 || names.contains(rule.id),
          (0..<rule.classCount).allSatisfy({ names.contains(rule.classes[$0]) }),
          !rule.wantsHidden || hasHidden
        {
          rulesLeft -= rule.declarations.count
          for declaration in sheet.declarations[rule.declarations] {
            style.add(declaration, rank: rule.rank, order: index)
          }
        }
        index = rule.previous
      }
    }
  }

  /// Returns the given inherited style with the changes that the given element's style makes.
  ///
  /// It is nil if nothing changes.
  private static func changed(_ look: Look, by style: HidingStyle, isPage: Bool, isShown: Bool)
    -> Look?
  {
    var new = look
    if let visibility = style[.visibility] { new.isInvisible = visibility == 1 && !isShown }
    if let size = style[.fontSize] { new.hasNoLetters = size <= 10 && !isPage }
    if let color = style[.color] {
      new.color = color
      new.isColored = color >= 0
    }
    if let background = style[.background] { new.background = background }
    return new == look ? nil : new
  }

  private mutating func measure() {
    var isApart = [Bool](repeating: false, count: tree.nodes.count)
    for index in tree.nodes.indices.dropFirst() {
      let node = tree.nodes[index]
      isApart[index] =
        isApart[Int(node.parent)] || node.tag == .a || Self.around.contains(node.tag)
      isHeadline[index] = isHeadline[Int(node.parent)] || node.tag == .h1
    }
    for index in stride(from: tree.nodes.count - 1, to: 0, by: -1) {
      let node = tree.nodes[index]
      if node.tag == .text {
        length[index] = tree.bytes(of: Int32(index)).visibleCount
        ownLength[index] = isApart[index] ? 0 : length[index]
      }
      guard node.tag != .head else { continue }
      let parent = Int(node.parent)
      length[parent] += length[index]
      ownLength[parent] += ownLength[index]
      if isHeadline[index], length[index] > 0 { isHeadline[parent] = true }
      blocks[parent] += blocks[index] + (Self.structure.contains(node.tag) ? 1 : 0)
    }
  }

  private static let structure = Tag.Group(.p, .h1, .h2, .h3, .li, .article, .section, .pre)

  /// The number of letters that one rule or style hides.
  private struct Unseen {
    var length: Int32 = 0
    var ownLength: Int32 = 0
    var holdsHeadline = false

    mutating func add(_ other: Unseen) {
      length += other.length
      ownLength += other.ownLength
      holdsHeadline = holdsHeadline || other.holdsHeadline
    }
  }

  /// Returns the letters that are hidden if the given node is hidden.
  private func unseen(_ index: Int) -> Unseen {
    Unseen(
      length: length[index], ownLength: ownLength[index], holdsHeadline: isHeadline[index])
  }

  /// Returns `true` if the given letters are most of the page.
  ///
  /// They also count as most of it if they include the headline and most text outside of links and
  /// menus.
  private func isMost(_ unseen: Unseen) -> Bool {
    unseen.length >= Self.least
      && (unseen.length > length[0] / 2
        || unseen.holdsHeadline && unseen.ownLength > ownLength[0] / 2)
  }

  /// Makes content visible again if most of the page would be hidden.
  ///
  /// Such a page waits for a script or a style sheet.
  private mutating func spareLoadingTricks() {
    /// The content that each fading rule hides, by the rule, and the content that each style hides.
    var faded: [Int32: Unseen] = [:]
    var looks: [HidingStyle.Trick: Unseen] = [:]
    for index in trick.indices {
      guard trick[index] != nil || isHidden[index] else { continue }
      let found = trick[index]
      if let found, tree.nodes[index].tag == .text {
        looks[found, default: Unseen()].add(unseen(index))
      } else if blocks[index] >= 3, isMost(unseen(index)) {
        trick[index] = nil
        isHidden[index] = false
      } else if found == .opacity, let rule = source[Int32(index)] {
        faded[rule, default: Unseen()].add(unseen(index))
      }
    }
    let shownLooks = Set(looks.filter { isMost($0.value) }.keys)
    let shownRules = Set(faded.filter { isMost($0.value) }.keys)
    guard !shownLooks.isEmpty || !shownRules.isEmpty else { return }
    for index in trick.indices {
      guard let found = trick[index] else { continue }
      let isText = tree.nodes[index].tag == .text
      if isText
        ? shownLooks.contains(found) : source[Int32(index)].map(shownRules.contains) ?? false
      {
        trick[index] = nil
      }
    }
  }

  /// The minimum number of hidden letters that can count as most of a page.
  private static let least: Int32 = 500

  /// Marks the outermost hidden nodes.
  private mutating func mark() {
    var seen = [Int32](repeating: 0, count: tree.nodes.count)
    for index in stride(from: tree.nodes.count - 1, to: 0, by: -1) {
      let isText = tree.nodes[index].tag == .text
      if trick[index] != nil || isHidden[index] {
        seen[index] = 0
      } else if isText || tree.isFormulaImage(Int32(index)) {
        seen[index] = isText ? length[index] : 1
      }
      seen[Int(tree.nodes[index].parent)] += seen[index]
    }
    var isCovered = [Bool](repeating: false, count: tree.nodes.count)
    for index in tree.nodes.indices.dropFirst() {
      let parent = Int(tree.nodes[index].parent)
      let hides =
        isHidden[index] || trick[index] != nil
        || length[index] > 0 && seen[index] == 0
          && tree.nodes[index].tag != .body
      isCovered[index] = isCovered[parent] || hides
      isHidden[index] = hides && !isCovered[parent]
      if isHidden[index], length[index] > 0 { count += 1 }
    }
  }
}
