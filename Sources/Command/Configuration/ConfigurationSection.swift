import Core
import TOML

/// A table of a configuration file, read setting by setting.
///
/// A value of the wrong type or out of range causes a failure that names the setting and its line.
struct ConfigurationSection {
  private let table: TOMLTable
  /// The names of the enclosing tables and of this table, from the outermost.
  private let path: [String]
  /// The line that names the table; nil if the file does not name it.
  private let line: Int?
  /// The file's path.
  private let file: String

  /// The collector of settings that no tool reads.
  let unknown: UnknownSettings

  /// Creates the section that is the whole file.
  init(_ table: TOMLTable, file: String) {
    self.init(table, path: [], line: nil, file: file, UnknownSettings(of: file))
  }

  private init(
    _ table: TOMLTable, path: [String], line: Int?, file: String, _ unknown: UnknownSettings
  ) {
    (self.table, self.path, self.line, self.file) = (table, path, line, file)
    self.unknown = unknown
    unknown.open(table, at: path)
  }

  /// Returns the value of the setting with the given name; the setting then counts as known.
  private func item(_ name: String) -> TOMLItem? {
    unknown.know([name], at: path)
    return table[name]
  }

  private func inner(_ table: TOMLTable, _ name: String, line: Int?) -> ConfigurationSection {
    ConfigurationSection(table, path: path + [name], line: line, file: file, unknown)
  }

  /// Returns the value of the given setting, which must be one of the allowed strings.
  func choice(_ name: String, of allowed: [String]) throws(Failure) -> String? {
    guard let text = try string(name) else { return nil }
    guard allowed.contains(text) else {
      throw fault(name, "is neither \(allowed.map { "'\($0)'" }.joined(separator: " nor "))")
    }
    return text
  }

  /// Returns the value of the given setting, which must be one of the type's words.
  func value<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, of type: Word.Type
  ) throws(Failure) -> Word? {
    try choice(name, of: type.allCases.map(\.rawValue)).flatMap(Word.init)
  }

  /// Returns the value of the given setting, which is required and must be one of the type's words.
  func required<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, of type: Word.Type
  ) throws(Failure) -> Word {
    guard let value = try value(name, of: type) else {
      throw fault(name, "is missing", line: line)
    }
    return value
  }

  /// Returns the words of the list with the given name, each read by the given function; an empty
  /// list if there is none.
  func list<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, of type: Word.Type, by read: (String) -> Word?
  ) throws(Failure) -> [Word] {
    try (try strings(name) ?? []).map { (text) throws(Failure) in
      guard let word = read(text) else {
        let known = type.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw fault(name, "has the unknown word '\(Visible.line(text))'; known are \(known)")
      }
      return word
    }
  }

  /// Returns the value of the given setting, which must be `true` or `false`.
  func flag(_ name: String) throws(Failure) -> Bool? {
    guard let item = item(name) else { return nil }
    guard case .boolean(let flag) = item.value else { throw fault(name, "must be true or false") }
    return flag
  }

  /// Returns the value of the given setting, which must be a string.
  func string(_ name: String) throws(Failure) -> String? {
    guard let item = item(name) else { return nil }
    guard case .string(let text) = item.value else { throw fault(name, "must be a string") }
    return text
  }

  /// Returns the value of the given setting, which must be a string.
  ///
  /// A string that is not in `known` is reported.
  func string(_ name: String, _ kind: String, among known: [String]) throws(Failure) -> String? {
    let text = try string(name)
    if let text { unknown.check(text, kind, among: known, line: table[name]?.line) }
    return text
  }

  /// Reports the name of this table unless it is in `known`.
  func checkName(_ kind: String, among known: [String]) {
    if let name = path.last { unknown.check(name, kind, among: known, line: line) }
  }

  /// Returns the value of the given setting, which is required and must be a string.
  func required(_ name: String) throws(Failure) -> String {
    guard let text = try string(name) else { throw fault(name, "is missing", line: line) }
    return text
  }

  /// Returns the value of the given setting, which must be a command and its arguments.
  ///
  /// It must contain at least one string.
  func command(_ name: String) throws(Failure) -> [String]? {
    let words = try strings(name)
    if words?.isEmpty == true { throw fault(name, "is empty") }
    return words
  }

  /// Returns the value of the given setting, which must be a list of strings.
  func strings(_ name: String) throws(Failure) -> [String]? {
    guard let item = item(name) else { return nil }
    var words: [String] = []
    guard case .array(let items) = item.value else {
      throw fault(name, "must be a list of strings")
    }
    for item in items {
      guard case .string(let word) = item.value else {
        throw fault(name, "must be a list of strings", line: item.line)
      }
      words.append(word)
    }
    return words
  }

  /// Returns the given setting, which must be a table of strings.
  func words(_ name: String) throws(Failure) -> [String: String]? {
    guard item(name) != nil else { return nil }
    let words = try section(name)
    var found: [String: String] = [:]
    for name in words.names { found[name] = try words.required(name) }
    return found
  }

  /// Returns the given setting, which must be a whole number of 0 or more.
  func count(_ name: String) throws(Failure) -> Int? {
    guard let item = item(name) else { return nil }
    guard case .integer(let number) = item.value else {
      throw fault(name, "must be a whole number")
    }
    guard number >= 0 else { throw fault(name, "is negative") }
    return Int(number)
  }

  /// Returns the given setting, which must be a whole number of 1 or more.
  func positive(_ name: String) throws(Failure) -> Int? {
    let count = try count(name)
    guard count != 0 else { throw fault(name, "must be 1 or more") }
    return count
  }

  /// Returns the value of the given setting, which is required and must be a whole number of 0 or
  /// more.
  func requiredCount(_ name: String) throws(Failure) -> Int {
    guard let count = try count(name) else { throw fault(name, "is missing", line: line) }
    return count
  }

  /// Returns the value of the given setting, which must be a number of 0 or more, such as `2` or
  /// `2.0`.
  func amount(_ name: String) throws(Failure) -> Double? {
    guard let item = item(name) else { return nil }
    let amount: Double
    switch item.value {
    case .integer(let number): amount = Double(number)
    case .float(let number): amount = number
    default: throw fault(name, "must be a number")
    }
    guard amount.isFinite else { throw fault(name, "must be a finite number") }
    guard amount >= 0 else { throw fault(name, "is negative") }
    return amount
  }

  /// Returns the subtable with the given name; an empty table if there is none.
  func section(_ name: String) throws(Failure) -> ConfigurationSection {
    guard let item = item(name) else {
      return inner(TOMLTable(), name, line: nil)
    }
    guard case .table(let table) = item.value else { throw fault(name, "must be a table") }
    return inner(table, name, line: item.line)
  }

  /// Returns the tables of the list with the given name; an empty list if there is none.
  func list(_ name: String) throws(Failure) -> [ConfigurationSection] {
    guard let item = item(name) else { return [] }
    guard case .array(let items) = item.value else {
      throw fault(name, "must be a list of tables")
    }
    var sections: [ConfigurationSection] = []
    for item in items {
      guard case .table(let table) = item.value else {
        throw fault(name, "must be a list of tables", line: item.line)
      }
      sections.append(inner(table, name, line: item.line))
    }
    return sections
  }

  /// Returns the tables inside the table with the given name, each with its own name.
  ///
  /// - Parameters:
  ///   - name: The name of the outer table.
  ///   - others: The names of its other settings. If there are any, a setting that is not a table
  ///     is reported as unknown, instead of being refused.
  /// - Returns: The tables, in order.
  /// - Throws: `BadConfiguration` if a setting is not a table.
  func sections(
    _ name: String, except others: Set<String> = []
  ) throws(Failure) -> [(name: String, section: ConfigurationSection)] {
    let outer = try section(name)
    var sections: [(name: String, section: ConfigurationSection)] = []
    // Names that are canonically equivalent in Unicode would be one key in a Swift dictionary.
    var names: Set<String> = []
    for entry in outer.table.entries where !others.contains(entry.name.text) {
      let name = entry.name.text
      if !others.isEmpty {
        guard case .table = entry.item.value else { continue }
      }
      guard names.insert(name).inserted else {
        throw outer.fault(name, "looks like an earlier name", line: entry.item.line)
      }
      sections.append((name, try outer.section(name)))
    }
    return sections
  }

  /// The names of this table's settings, in order.
  ///
  /// Reading this property marks all of the settings as known.
  var names: [String] {
    let names = table.entries.map(\.name.text)
    unknown.know(names, at: path)
    return names
  }

  private func fault(_ name: String, _ reason: String, line: Int? = nil) -> Failure {
    let shown = Visible.line((path + [name]).joined(separator: "."))
    let line = line ?? table[name]?.line
    return Failure(
      .badConfiguration, "'\(shown)' \(reason)", input: file + (line.map { ":\($0)" } ?? ""))
  }
}
