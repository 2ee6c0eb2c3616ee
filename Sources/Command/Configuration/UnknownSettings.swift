import Core
import Synchronization
import TOML

/// The unknown settings and words of a configuration file.
///
/// An unknown setting is one that no tool reads. An unknown word is one that is not on the list of
/// allowed words.
final class UnknownSettings {
  /// An unknown setting or word, as it is reported.
  struct Setting: Hashable {
    /// The position of the setting in the file, for messages.
    var place: String
    /// A sentence that names the setting and the nearest known name.
    var sentence: String
  }

  private var sections: [(path: [String], table: TOMLTable)] = []
  /// The known names of settings in each table, in the order in which they were read.
  private var known: [[String]: [String]] = [:]
  private var words: [Setting] = []
  private let file: String

  init(of file: String) { self.file = file }

  /// Adds the given table, which is now being read.
  func open(_ table: TOMLTable, at path: [String]) { sections.append((path, table)) }

  /// Marks the given names as known settings in the table at the given path.
  func know(_ names: [String], at path: [String]) { known[path, default: []] += names }

  /// Records the given word as unknown unless it is on the given list.
  ///
  /// - Parameters:
  ///   - word: The word to check.
  ///   - kind: A noun that describes the word.
  ///   - known: The list of known words.
  ///   - line: The number of the line that contains the word.
  func check(_ word: String, _ kind: String, among known: [String], line: Int?) {
    guard !known.contains(word) else { return }
    let nearest = Self.nearest(to: word, among: known)
    words.append(
      Setting(
        place: file + (line.map { ":\($0)" } ?? ""),
        sentence: "unknown \(kind) '\(Visible.line(String(word.prefix(80))))'"
          + (nearest.map { ": did you mean '\($0)'?" } ?? "")))
  }

  /// The unknown words, followed by the unknown settings of each table.
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

  /// Reports the first few unknown settings on stderr, each at most once per process.
  func report() {
    let settings = settings
    for setting in settings.prefix(20)
    where Self.reported.withLock({ $0.insert(setting).inserted }) {
      Diagnostics.shared.report("\(setting.place): \(setting.sentence)")
    }
  }

  /// Returns the name that the fewest edits turn the given word into.
  ///
  /// If several names need equally few, the one that was read first is returned.
  private static func nearest(to word: String, among names: [String]) -> String? {
    let word = Array(word.lowercased().prefix(80))
    return names.map { ($0, distance(word, Array($0.lowercased()))) }.min { $0.1 < $1.1 }?.0
  }

  /// Returns the number of edits that turn one word into the other (Levenshtein distance).
  ///
  /// An edit inserts, deletes or replaces one character.
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
