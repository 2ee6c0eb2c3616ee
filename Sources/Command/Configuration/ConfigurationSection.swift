import Core
import TOML

/// A table of a configuration file, read setting by setting.
///
/// What has the wrong type or is out of range is a fault that names the setting and its line.
struct ConfigurationSection {
  private let table: TOMLTable
  /// The names of the tables that lead here.
  private let path: [String]
  /// The line on which it is named.
  private let line: Int?
  /// The file's path.
  private let file: String

  /// The settings that nothing asks for.
  let unknown: UnknownSettings

  /// The whole file.
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

  /// The value of a setting, which is known from now on.
  private func item(_ name: String) -> TOMLItem? {
    unknown.know([name], at: path)
    return table[name]
  }

  private func inner(_ table: TOMLTable, _ name: String, line: Int?) -> ConfigurationSection {
    ConfigurationSection(table, path: path + [name], line: line, file: file, unknown)
  }

  /// A string that is to be one of those.
  func choice(_ name: String, of allowed: [String]) throws(Failure) -> String? {
    guard let text = try string(name) else { return nil }
    guard allowed.contains(text) else {
      throw fault(name, "is neither \(allowed.map { "'\($0)'" }.joined(separator: " nor "))")
    }
    return text
  }

  /// A string.
  func string(_ name: String) throws(Failure) -> String? {
    guard let item = item(name) else { return nil }
    guard case .string(let text) = item.value else { throw fault(name, "must be a string") }
    return text
  }

  /// A string that is reported where it is not one of those.
  func string(_ name: String, _ kind: String, among known: [String]) throws(Failure) -> String? {
    let text = try string(name)
    if let text { unknown.check(text, kind, among: known, line: table[name]?.line) }
    return text
  }

  /// Reports the name of this table where it is not one of those.
  func checkName(_ kind: String, among known: [String]) {
    if let name = path.last { unknown.check(name, kind, among: known, line: line) }
  }

  /// A string that must be there.
  func required(_ name: String) throws(Failure) -> String {
    guard let text = try string(name) else { throw fault(name, "is missing", line: line) }
    return text
  }

  /// A command and its arguments: strings, one at least.
  func command(_ name: String) throws(Failure) -> [String]? {
    let words = try strings(name)
    if words?.isEmpty == true { throw fault(name, "is empty") }
    return words
  }

  /// A list of strings.
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

  /// A whole number of 0 or more.
  func count(_ name: String) throws(Failure) -> Int? {
    guard let item = item(name) else { return nil }
    guard case .integer(let number) = item.value else {
      throw fault(name, "must be a whole number")
    }
    guard number >= 0 else { throw fault(name, "is negative") }
    return Int(number)
  }

  /// A whole number of 0 or more that must be there.
  func requiredCount(_ name: String) throws(Failure) -> Int {
    guard let count = try count(name) else { throw fault(name, "is missing", line: line) }
    return count
  }

  /// A number of 0 or more: TOML tells `2` from `2.0`, people do not.
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

  /// A table in this one; empty when it is not there.
  func section(_ name: String) throws(Failure) -> ConfigurationSection {
    guard let item = item(name) else {
      return inner(TOMLTable(), name, line: nil)
    }
    guard case .table(let table) = item.value else { throw fault(name, "must be a table") }
    return inner(table, name, line: item.line)
  }

  /// The tables of a list; empty when it is not there.
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

  /// The tables in a table, by name.
  func sections(_ name: String) throws(Failure) -> [(name: String, section: ConfigurationSection)] {
    let outer = try section(name)
    var sections: [(name: String, section: ConfigurationSection)] = []
    // Two names that only Unicode holds for equal would be one to what takes them.
    var names: Set<String> = []
    for entry in outer.table.entries {
      let name = entry.name.text
      guard names.insert(name).inserted else {
        throw outer.fault(name, "looks like an earlier name", line: entry.item.line)
      }
      sections.append((name, try outer.section(name)))
    }
    return sections
  }

  /// The names of the settings, in their order; all of them are known.
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
