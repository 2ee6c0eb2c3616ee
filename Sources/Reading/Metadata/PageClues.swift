/// A search for the author and the date in the visible page, near its heading.
///
/// Text near the heading counts if the class or another name of its element hints at an author or a
/// date. Text in comments, menus and lists of other texts does not count.
struct PageClues {
  private(set) var author: String?
  private(set) var publishedAt: String?
  private(set) var modifiedAt: String?

  private let tree: NodeTree
  private let heading: Int
  /// For each element, the hints that its names give.
  ///
  /// A hint `aside` applies to descendants, too.
  private var clues: [ElementClues] = []
  private var authorCost = Int.max
  private var publishedCost = Int.max
  private var modifiedCost = Int.max
  private let deadline: Deadline
  /// The number of steps that the search for names may still take.
  ///
  /// A limit is needed because elements with hints may be nested.
  private var stepsLeft: Int

  /// - Parameters:
  ///   - tree: The document.
  ///   - heading: The node of the heading; -1 if there is none.
  ///   - wantsAuthor: `true` to search for an author.
  ///   - deadline: The deadline. Once it has passed, the search ends.
  init(_ tree: NodeTree, heading: Int32, wantsAuthor: Bool, deadline: Deadline) {
    self.tree = tree
    self.deadline = deadline
    stepsLeft = 1_000_000 + 16 * tree.nodes.count
    self.heading = Int(heading)
    readClues()
    search(wantsAuthor: wantsAuthor)
  }

  private mutating func readClues() {
    clues = [ElementClues](repeating: [], count: tree.nodes.count)
    var holdsHeading = [Bool](repeating: false, count: tree.nodes.count)
    var ancestor = heading
    while ancestor >= 0 {
      holdsHeading[ancestor] = true
      ancestor = Int(tree.nodes[ancestor].parent)
    }
    var isInArticle = [Bool](repeating: false, count: tree.nodes.count)
    for index in tree.nodes.indices.dropFirst() {
      let node = tree.nodes[index]
      guard deadline.spend(1 + Int(node.tag == .text ? 0 : node.count)) else { return }
      isInArticle[index] = isInArticle[Int(node.parent)] || node.tag == .article
      let parent = clues[Int(node.parent)]
      let inherited = parent.intersection([.aside, .note])
      guard node.tag != .text else {
        clues[index] = inherited
        continue
      }
      var own = tree.clues(of: Int32(index)).union(inherited)
      switch node.tag {
      case .nav, .head, .form, .button, .select, .svg: own.insert(.aside)
      // The footer of an article is not the footer of the page.
      case .footer: own.insert(isInArticle[Int(node.parent)] ? .note : .aside)
      case .aside: own.insert(.note)
      case .html, .body, .main, .article: own = []
      default: break
      }
      if holdsHeading[index] || Int(node.parent) == heading { own = [] }
      clues[index] = own
    }
  }

  private mutating func search(wantsAuthor: Bool) {
    // The cost of a text is its distance in bytes from the heading, plus penalties.
    var distance = 0
    var index = max(0, heading < 0 ? 0 : heading - Self.nodesBefore)
    var isPastHeading = heading < 0
    while index < tree.nodes.count, distance < Self.reach {
      defer { index += 1 }
      guard deadline.spend(1) else { return }
      if index == heading { isPastHeading = true }
      let node = tree.nodes[index]
      var cost = isPastHeading ? distance : 800
      if clues[index].contains(.aside) {
        // A note beside the text is likely to contain the date; a menu or a sidebar is not.
        guard distance < 4000 else { continue }
        cost += 20_000
      } else if clues[index].contains(.note) {
        cost += 2000
      }
      if node.tag == .text {
        if isPastHeading, cost < 20_000 { distance += Int(node.count) }
        // The heading's own text may contain a year or a person's name.
        if index - 1 != heading { readText(Int32(index), cost, wantsAuthor) }
      } else {
        if node.tag == .time { readTime(Int32(index), cost) }
        if wantsAuthor { readAuthor(Int32(index), cost) }
      }
    }
  }

  private static let nodesBefore = 60
  private static let reach = 60_000

  // MARK: Dates

  private mutating func readTime(_ node: Int32, _ cost: Int) {
    guard let value = tree.string(.datetime, of: node), let date = DateValue.normalised(value)
    else { return }
    let isModified = clues[Int(node)].contains(.modified) || isAboutChange(node)
    offer(date, cost, isModified: isModified)
  }

  private mutating func offer(_ date: String, _ cost: Int, isModified: Bool) {
    if isModified, cost < modifiedCost {
      modifiedAt = date
      modifiedCost = cost
    } else if !isModified, cost < publishedCost {
      publishedAt = date
      publishedCost = cost
    }
  }

  private mutating func readText(_ node: Int32, _ cost: Int, _ wantsAuthor: Bool) {
    let bytes = tree.bytes(of: node)
    deadline.spend(bytes.count)
    guard bytes.count < 3000 || cost < 200, cost < 20_000 || bytes.count < 60 else { return }
    if wantsAuthor, cost + 100 < authorCost, cost < 20_000 { readLabelledName(node, bytes, cost) }
    // The steps are for comparing each word with five forms of a date.
    deadline.spend(8 * min(bytes.count, 2000))
    guard let date = WrittenDate.first(in: bytes) else { return }
    let parent = Int(tree.nodes[Int(node)].parent)
    let grand = Int(tree.nodes[parent].parent)
    let named = clues[parent].union(grand >= 0 ? clues[grand] : [])
    let before = String(decoding: bytes[..<date.range.lowerBound].suffix(40), as: UTF8.self)
      .lowercased()
    let isModified =
      named.contains(.modified) && !named.contains(.published)
      || Self.changes.contains { before.holds($0) } || isAboutChange(node)
    var total = cost
    let isLabelled = Self.publishes.contains { before.holds($0) }
    if !isLabelled, named.isDisjoint(with: [.date, .published, .modified]) {
      // A date inside prose belongs to the story, not to the page.
      total += bytes.count - date.range.count > 60 ? 6000 : 300
    }
    offer(date.iso, total, isModified: isModified)
  }

  /// Returns `true` if the text just before the given node announces a modification date.
  private func isAboutChange(_ node: Int32) -> Bool {
    var previous = Int(node) - 1
    while previous > 0, previous > Int(node) - 6 {
      if tree.nodes[previous].tag == .text {
        let bytes = tree.bytes(of: Int32(previous))
        if bytes.contains(where: { !isSpace($0) }) {
          let lower = String(decoding: bytes.suffix(60), as: UTF8.self).lowercased()
          return bytes.count < 60 && Self.changes.contains { lower.holds($0) }
            && !Self.publishes.contains { lower.holds($0) }
        }
      }
      previous -= 1
    }
    return false
  }

  private static let changes = [
    "updated", "modified", "reviewed", "last edited", "aktualisiert", "mis à jour", "actualizado",
    "last update", "revised",
  ]
  private static let publishes = ["publish", "posted", "created", "veröffentlicht", "publicado"]

  // MARK: Authors

  private mutating func readAuthor(_ node: Int32, _ cost: Int) {
    let named = clues[Int(node)]
    guard !named.isDisjoint(with: [.author, .byline, .user]), !named.contains(.aside) else {
      return
    }
    var total = cost
    if named.contains(.besideName) { total += 400 }
    if !named.contains(.byline), named.contains(.user) { total += 300 }
    guard total < authorCost, stepsLeft > 0 else { return }
    let before = deadline.steps
    defer { stepsLeft -= deadline.steps - before }
    guard let name = name(in: node) else { return }
    if AuthorName.isGeneric(name) { total += 5000 }
    guard total < authorCost else { return }
    author = name
    authorCost = total
  }

  /// Returns the names of authors in the given element.
  ///
  /// They are taken from links and elements with hints. If there are none, the element's own text
  /// is used.
  private func name(in node: Int32) -> String? {
    var names: [String] = []
    var next = Int(node) + 1
    var looked = 0
    // Descendants follow their ancestor.
    while next < tree.nodes.count, tree.nodes[next].parent >= node, looked < 60, names.count < 8 {
      defer {
        next += 1
        looked += 1
      }
      deadline.spend(1)
      let element = tree.nodes[next]
      guard element.tag != .text, isNameElement(Int32(next)) else { continue }
      let text = tree.nearText(of: Int32(next), limit: 120, deadline)
      guard let name = AuthorName.cleaned(text), Self.looksLikeName(name) else { continue }
      if !names.contains(where: { $0.contains(name) || name.contains($0) }) { names.append(name) }
    }
    if !names.isEmpty { return names.joined(separator: ", ") }
    let text = tree.nearText(of: node, limit: 200, deadline)
    guard text.utf8.count <= 160, let name = AuthorName.cleaned(text),
      Self.looksLikeName(name)
    else { return nil }
    return name
  }

  private func isNameElement(_ node: Int32) -> Bool {
    if tree[node].tag == .a {
      if tree.value(.rel, of: node)?.elementsEqual("author".utf8) ?? false { return true }
      let href = tree.value(.href, of: node)?.map(\.lowercased) ?? []
      return [
        "author", "/people/", "/profile", "/by/", "/staff/", "/user", "/writer", "/team/",
        "contributor", "/member", "/@",
      ].contains { href[...].firstOffset(of: $0.utf8) != nil }
    }
    if tree.value(.itemprop, of: node)?.elementsEqual("name".utf8) ?? false { return true }
    let names = tree.string(.class, of: node)?.lowercased() ?? ""
    return names.holds("name") || names.split(separator: " ").contains("fn")
  }

  /// Reads the author from text such as `By Ann Author`, or from the element that follows a `By`.
  private mutating func readLabelledName(_ node: Int32, _ bytes: ArraySlice<UInt8>, _ cost: Int) {
    let start = bytes.drop(while: isSpace)
    guard start.count < 200, let first = start.first,
      "bwpatsc".utf8.contains(first.lowercased), AuthorName.mayBeLabelled(start)
    else { return }
    let text = start.split(whereSeparator: isSpace).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
    guard AuthorName.isLabelled(text) else { return }
    var found = AuthorName.cleaned(text)
    if found == nil {
      // The label stands alone, so the name is in the next node.
      var next = tree[node].next
      if next < 0 { next = tree[tree[node].parent].next }
      if next >= 0 { found = AuthorName.cleaned(tree.nearText(of: next, limit: 120, deadline)) }
    }
    guard let found, Self.looksLikeName(found), found.first?.isUppercase ?? false else { return }
    author = found
    authorCost = cost + 100
  }

  /// Returns `true` if the given text has few words and is no sentence, as names are.
  private static func looksLikeName(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    return name.utf8.count <= 80 && words.count <= 7 && !name.hasSuffix("?")
      && !words.contains { $0.count > 5 && $0.hasSuffix(".") }
      && name.filter(\.isNumber).count <= 4 && !name.contains("\u{2026}")
  }
}
