/// A value of a TOML document.
package enum TOMLValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  /// A date, a time or both, as it is written: no setting is one.
  case instant(String)
  case array([TOMLItem])
  case table(TOMLTable)
}

/// A value and where it is written.
package struct TOMLItem: Sendable, Hashable {
  /// The value.
  package var value: TOMLValue
  /// The line on which it begins, or its table is named; the first is 1.
  package var line: Int
}

/// Values by name, in the order in which they are written.
package struct TOMLTable: Sendable, Hashable {
  /// A name and its value.
  package struct Entry: Sendable, Hashable {
    /// The name.
    package var name: TOMLName
    /// Its value.
    package var item: TOMLItem
  }

  /// The names and their values.
  package private(set) var entries: [Entry] = []
  private var places: [TOMLName: Int] = [:]

  /// A table that holds nothing yet.
  package init() {}

  /// The value of a name.
  package subscript(name: String) -> TOMLItem? {
    places[TOMLName(name)].map { entries[$0].item }
  }

  /// Adds a name that is not there yet.
  mutating func add(_ name: TOMLName, _ item: TOMLItem) {
    places[name] = entries.count
    entries.append(Entry(name: name, item: item))
  }
}

/// A name in a table.
///
/// Two names are one when their bytes are; to Swift, strings that Unicode holds for equal are one.
package struct TOMLName: Sendable, Hashable {
  /// The name.
  package let text: String

  init(_ text: String) { self.text = text }

  package static func == (left: TOMLName, right: TOMLName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// Why a text is no TOML, and where.
package struct TOMLFault: Error, Hashable {
  /// The line, the first of which is 1.
  package var line: Int
  /// The character in the line, the first of which is 1; nil where the whole line is meant.
  package var column: Int?
  /// What is wrong, for a message.
  package var reason: String

  /// Tells what is wrong with a line, or with a place in it.
  package init(line: Int, column: Int? = nil, reason: String) {
    (self.line, self.column, self.reason) = (line, column, reason)
  }
}
