/// A TOML value: a string, a number, a boolean, a date or time, an array or a table.
package enum TOMLValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  /// A date, a time or both, as the document writes it. No setting has such a value.
  case instant(String)
  case array([TOMLItem])
  case table(TOMLTable)
}

/// A value and the line on which it begins.
package struct TOMLItem: Sendable, Hashable {
  /// The value.
  package var value: TOMLValue
  /// The line on which the value begins or the table is named.
  ///
  /// The first line has the number 1.
  package var line: Int
}

/// A table whose entries are in the order of the document.
package struct TOMLTable: Sendable, Hashable {
  /// A name in a table, with its value.
  package struct Entry: Sendable, Hashable {
    /// The name.
    package var name: TOMLName
    /// The value, and the line on which it begins.
    package var item: TOMLItem
  }

  /// The entries, in the order of the document.
  package private(set) var entries: [Entry] = []
  private var places: [TOMLName: Int] = [:]

  /// Creates an empty table.
  package init() {}

  /// Returns the value of the given name; nil if the table does not contain the name.
  package subscript(name: String) -> TOMLItem? {
    places[TOMLName(name)].map { entries[$0].item }
  }

  /// Adds the given name and its value.
  ///
  /// The table must not contain the name yet.
  mutating func add(_ name: TOMLName, _ item: TOMLItem) {
    places[name] = entries.count
    entries.append(Entry(name: name, item: item))
  }
}

/// The name of a value in a table.
///
/// Names are compared by their bytes. Swift's strings would also be equal if they are canonically
/// equivalent in Unicode.
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

/// An error in a TOML document, with its position.
package struct TOMLFault: Error, Hashable {
  /// The number of the line with the error, starting at 1.
  package var line: Int
  /// The number of the character in the line, starting at 1.
  ///
  /// It is nil if the error concerns the whole line.
  package var column: Int?
  /// The reason, as part of a message.
  package var reason: String

  /// Creates a fault that concerns the given line, or one character in it.
  package init(line: Int, column: Int? = nil, reason: String) {
    (self.line, self.column, self.reason) = (line, column, reason)
  }
}
