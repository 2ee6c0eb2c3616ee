import Core
import Synchronization
import TOML

/// The unknown settings and words of a configuration file: settings that no tool reads, and words
/// that are not on their list.
final class UnknownSettings {
  /// A setting that no tool knows.
  struct Setting: Hashable {
    /// The position in the file.
    var place: String
    /// A sentence that names the setting and the nearest known name.
    var sentence: String
  }

  private var sections: [(path: [String], table: TOMLTable)] = []
  /// The known names of each table, in the order in which they were read.
  private var known: [[String]: [String]] = [:]
  private var words: [Setting] = []
  private let file: String

  init(of file: String) { self.file = file }

  /// Adds a table that is being read.
  func open(_ table: TOMLTable, at path: [String]) { sections.append((path, table)) }

  /// Marks the given names as known settings of the table at the given path.
  func know(_ names: [String], at path: [String]) { known[path, default: []] += names }

  /// Records the given word as unknown unless it is on the given list.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - kind: A noun for the kind of word.
  ///   - known: The list.
  ///   - line: The line of the word.
  func check(_ word: String, _ kind: String, among known: [String], line: Int?) {
    guard !known.contains(word) else { return }
    let nearest = Self.nearest(to: word, among: known)
    words.append(
      Setting(
        place: file + (line.map { ":\($0)" } ?? ""),
        sentence: "unknown \(kind) '\(Visible.line(String(word.prefix(80))))'"
          + (nearest.map { ": did you mean '\($0)'?" } ?? "")))
  }

  /// The unknown words, and the unknown settings by table.
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

  private static let reported = Mutex<Set<Setting>>([])

  /// Reports the first unknown settings on stderr, each only once per process.
  func report() {
    let settings = settings
    for setting in settings.prefix(20)
    where Self.reported.withLock({ $0.insert(setting).inserted }) {
      Diagnostics.shared.report("\(setting.place): \(setting.sentence)")
    }
  }

  /// Returns the name that is the fewest edits from the given word; of several, the first one read.
  private static func nearest(to word: String, among names: [String]) -> String? {
    let word = Array(word.lowercased().prefix(80))
    return names.map { ($0, distance(word, Array($0.lowercased()))) }.min { $0.1 < $1.1 }?.0
  }

  /// Returns the number of characters to insert, delete or replace to turn one word into the other
  /// (Levenshtein distance, row by row).
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
