/// A value of a TOML document.
package enum TOMLValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  /// A date, a time or both, as written; no setting uses it.
  case instant(String)
  case array([TOMLItem])
  case table(TOMLTable)
}

/// A value and its position.
package struct TOMLItem: Sendable, Hashable {
  /// The value.
  package var value: TOMLValue
  /// The line on which the value begins or its table is named, from 1.
  package var line: Int
}

/// Values by name, in the order of the document.
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

  /// Creates an empty table.
  package init() {}

  /// Returns the value of a name.
  package subscript(name: String) -> TOMLItem? {
    places[TOMLName(name)].map { entries[$0].item }
  }

  /// Adds a name that is not in the table yet.
  mutating func add(_ name: TOMLName, _ item: TOMLItem) {
    places[name] = entries.count
    entries.append(Entry(name: name, item: item))
  }
}

/// A name in a table.
///
/// Names are equal if their bytes are; Swift's strings would also be equal if they are canonically
/// equivalent in Unicode.
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

/// A syntax error in a TOML document and its position.
package struct TOMLFault: Error, Hashable {
  /// The line, from 1.
  package var line: Int
  /// The character in the line, from 1; nil if the fault is about the whole line.
  package var column: Int?
  /// The reason, for a message.
  package var reason: String

  /// Creates a fault about a line, or about a position in it.
  package init(line: Int, column: Int? = nil, reason: String) {
    (self.line, self.column, self.reason) = (line, column, reason)
  }
}
