import Core

/// The tables of the document that is being read, and the rules for extending a table.
struct TOMLTree {
  /// The way in which a table was defined.
  ///
  /// It determines how the table may be extended.
  private enum Origin: Hashable {
    /// Only the header of a subtable names the table. The table's own header may still follow.
    case implied
    /// The table's own header defined the table. No other header or key may define it.
    case header
    /// Dotted keys under one header defined the table. Keys under other headers may not extend it.
    case dotted(section: Int)
  }

  private enum Entry {
    case value(TOMLItem)
    case table(Int)
    /// The tables of a header `[[name]]`, given by their index in `lists`.
    ///
    /// Only the last of these tables can be extended.
    case tables(Int)
  }

  private struct Node {
    var entries: [TOMLName: Entry] = [:]
    var names: [TOMLName] = []
    var origin: Origin
    var line: Int
    var depth: Int
  }

  /// A function that creates a fault with the given reason.
  typealias Fault = (String) -> TOMLFault

  private var nodes = [Node(origin: .header, line: 1, depth: 0)]
  /// The tables of each header `[[name]]`.
  ///
  /// Each list has at least one table.
  private var lists: [[Int]] = []
  /// The index of the table that keys are added to.
  private var current = 0
  /// The number of headers read so far.
  private var section = 0

  /// Opens the table that the given header names.
  ///
  /// Later keys are added to this table.
  mutating func open(
    _ key: [TOMLName], isElement: Bool, line: Int, fault: Fault
  ) throws(TOMLFault) {
    section += 1
    var node = 0
    for name in key.dropLast() {
      switch nodes[node].entries[name] {
      case .table(let next): node = next
      case .tables(let list): node = lists[list][lists[list].count - 1]
      case .value: throw fault("\(Self.shown(key)) is inside a value that is already set")
      case nil: node = try add(name, to: node, .implied, line: line, fault)
      }
    }
    guard let name = key.last else { return }
    switch nodes[node].entries[name] {
    case nil where isElement:
      current = try make(in: node, .header, line: line, fault)
      insert(name, .tables(lists.count), in: node)
      lists.append([current])
    case nil: current = try add(name, to: node, .header, line: line, fault)
    case .tables(let list) where isElement:
      current = try make(in: node, .header, line: line, fault)
      lists[list].append(current)
    case .table(let next) where !isElement && nodes[next].origin == .implied:
      nodes[next].origin = .header
      nodes[next].line = line
      current = next
    default: throw fault("\(Self.shown(key)) is already defined")
    }
  }

  /// Sets the value of the given dotted key in the current table.
  mutating func set(_ key: [TOMLName], _ item: TOMLItem, fault: Fault) throws(TOMLFault) {
    var node = current
    for name in key.dropLast() {
      switch nodes[node].entries[name] {
      case .table(let next):
        switch nodes[next].origin {
        case .implied: nodes[next].origin = .dotted(section: section)
        case .dotted(section): break
        case .header, .dotted:
          throw fault("\(Self.shown(key)) belongs to the table of another header")
        }
        node = next
      case .tables, .value: throw fault("\(Self.shown(key)) is inside a value that is already set")
      case nil: node = try add(name, to: node, .dotted(section: section), line: item.line, fault)
      }
    }
    guard let name = key.last else { return }
    guard nodes[node].entries[name] == nil else {
      throw fault("\(Self.shown(key)) is already set")
    }
    insert(name, .value(item), in: node)
  }

  /// The whole document as a table.
  var table: TOMLTable { table(0) }

  private func table(_ node: Int) -> TOMLTable {
    var table = TOMLTable()
    for name in nodes[node].names {
      switch nodes[node].entries[name] {
      case .value(let item): table.add(name, item)
      case .table(let next): table.add(name, item(next))
      case .tables(let list):
        let items = lists[list].map(item)
        table.add(name, TOMLItem(value: .array(items), line: items.first?.line ?? 0))
      case nil: break
      }
    }
    return table
  }

  private func item(_ node: Int) -> TOMLItem {
    TOMLItem(value: .table(table(node)), line: nodes[node].line)
  }

  private mutating func add(
    _ name: TOMLName, to node: Int, _ origin: Origin, line: Int, _ fault: Fault
  ) throws(TOMLFault) -> Int {
    let next = try make(in: node, origin, line: line, fault)
    insert(name, .table(next), in: node)
    return next
  }

  private mutating func make(
    in node: Int, _ origin: Origin, line: Int, _ fault: Fault
  ) throws(TOMLFault) -> Int {
    let depth = nodes[node].depth + 1
    guard depth <= TOMLReader.deepest else {
      throw fault("tables are nested more than \(TOMLReader.deepest) levels deep")
    }
    nodes.append(Node(origin: origin, line: line, depth: depth))
    return nodes.count - 1
  }

  private mutating func insert(_ name: TOMLName, _ entry: Entry, in node: Int) {
    nodes[node].entries[name] = entry
    nodes[node].names.append(name)
  }

  private static func shown(_ key: [TOMLName]) -> String {
    "'" + Visible.line(key.map(\.text).joined(separator: ".")) + "'"
  }
}
