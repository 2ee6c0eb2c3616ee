/// A value of a TOML document.
package enum TOMLValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  /// A date, a time or both, as written in the document; no setting has such a value.
  case instant(String)
  case array([TOMLItem])
  case table(TOMLTable)
}

/// A value and the line on which it begins.
package struct TOMLItem: Sendable, Hashable {
  /// The value.
  package var value: TOMLValue
  /// The line, from 1, on which the value begins or its table is named.
  package var line: Int
}

/// Values by name, in the order of the document.
package struct TOMLTable: Sendable, Hashable {
  /// A name and its value.
  package struct Entry: Sendable, Hashable {
    /// The name.
    package var name: TOMLName
    /// The value of the name.
    package var item: TOMLItem
  }

  /// The entries in order.
  package private(set) var entries: [Entry] = []
  private var places: [TOMLName: Int] = [:]

  /// Creates an empty table.
  package init() {}

  /// Returns the value of the given name; nil if the table does not contain it.
  package subscript(name: String) -> TOMLItem? {
    places[TOMLName(name)].map { entries[$0].item }
  }

  /// Adds a name that the table does not contain yet.
  mutating func add(_ name: TOMLName, _ item: TOMLItem) {
    places[name] = entries.count
    entries.append(Entry(name: name, item: item))
  }
}

/// A name of a value in a table.
///
/// Names are compared by their bytes, unlike Swift's strings, which are also equal if they are
/// canonically equivalent in Unicode.
package struct TOMLName: Sendable, Hashable {
  /// The text of the name.
  package let text: String

  init(_ text: String) { self.text = text }

  package static func == (left: TOMLName, right: TOMLName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// An error in a TOML document, and its position.
package struct TOMLFault: Error, Hashable {
  /// The number of the line, starting at 1.
  package var line: Int
  /// The number of the character in the line, starting at 1; nil if the error concerns the whole
  /// line.
  package var column: Int?
  /// The reason, as part of a message.
  package var reason: String

  /// Creates a fault that concerns a line, or a character in it.
  package init(line: Int, column: Int? = nil, reason: String) {
    (self.line, self.column, self.reason) = (line, column, reason)
  }
}
