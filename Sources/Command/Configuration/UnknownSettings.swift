import Core
import Synchronization
import TOML

/// The settings that a configuration file was asked for, and those in it that nothing asked for; words of
/// a list that are not on it.
final class UnknownSettings {
  /// A setting that no tool knows.
  struct Setting: Hashable {
    /// Its place in the file.
    var place: String
    /// A sentence that names it and the nearest known one.
    var sentence: String
  }

  private var sections: [(path: [String], table: TOMLTable)] = []
  /// The known names of each table, in the order in which they were asked for.
  private var known: [[String]: [String]] = [:]
  private var words: [Setting] = []
  private let file: String

  init(of file: String) { self.file = file }

  /// Adds a table whose settings are read.
  func open(_ table: TOMLTable, at path: [String]) { sections.append((path, table)) }

  /// Notes that a setting is known.
  func know(_ names: [String], at path: [String]) { known[path, default: []] += names }

  /// Notes that a word is unknown unless it is one of a list.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - kind: A noun for what it names.
  ///   - known: The list.
  ///   - line: The line on which it is.
  func check(_ word: String, _ kind: String, among known: [String], line: Int?) {
    guard !known.contains(word) else { return }
    let nearest = Self.nearest(to: word, among: known)
    words.append(
      Setting(
        place: file + (line.map { ":\($0)" } ?? ""),
        sentence: "unknown \(kind) '\(Visible.line(String(word.prefix(80))))'"
          + (nearest.map { ": did you mean '\($0)'?" } ?? "")))
  }

  /// The unknown settings, by table, and the unknown words.
  var settings: [Setting] {
    words
      + sections.flatMap { path, table in
        let known = self.known[path] ?? []
        return table.entries.filter { !known.contains($0.name.text) }.map { entry in
          let shown = Visible.line(
            String((path + [entry.name.text]).joined(separator: ".").prefix(80)))
          let nearest = Self.nearest(to: entry.name.text, among: known).map { name in
            ": did you mean '\((path + [name]).joined(separator: "."))'?"
          }
          return Setting(
            place: "\(file):\(entry.item.line)",
            sentence: "unknown setting '\(shown)'\(nearest ?? "")")
        }
      }
  }

  private static let said = Mutex<Set<Setting>>([])

  /// Reports the first unknown settings on stderr, each once in the life of a process.
  func report() {
    let settings = settings
    for setting in settings.prefix(20)
    where Self.said.withLock({ $0.insert(setting).inserted }) {
      Diagnostics.shared.say("\(setting.place): \(setting.sentence)")
    }
  }

  /// The name with the fewest edits; the first one asked for if several have as many.
  private static func nearest(to word: String, among names: [String]) -> String? {
    let word = Array(word.lowercased().prefix(80))
    return names.map { ($0, distance(word, Array($0.lowercased()))) }.min { $0.1 < $1.1 }?.0
  }

  /// The number of characters to insert, delete or replace (Levenshtein, row by row).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, diagonal + 1, row[place] + 1)
      }
    }
    return row[right.count]
  }
}
