/// One journal writes the log of events, and one table has the names of their attributes.
struct JournalRule {
  /// Who may name the log.
  static let rooms: Set = ["Events"]
  /// The table of names.
  static let table = "Sources/Events/Words/EventAttribute.swift"
  /// The table of the names of metrics.
  static let metrics = "Sources/Events/Words/EventMetric.swift"
  /// How the names begin that nothing else is called by.
  static let beginnings = ["\"gen_ai.", "\"agentpipes.", "\"error.type\"", "\"process.exit."]

  static func violations(in file: SourceFile) -> [Violation] {
    file.code.flatMap { line -> [Violation] in
      var reasons: [String] = []
      if !rooms.contains(file.target ?? ""), line.text.holds(phrase: "EventLog") {
        reasons.append("only an 'EventJournal' reads and writes the log of events")
      }
      if ![table, metrics].contains(file.path),
        let found = beginnings.first(where: line.text.contains)
      {
        reasons.append("\(found)… is a name of 'EventAttribute'")
      }
      return reasons.map { Violation(path: file.path, line: line.number, reason: $0) }
    }
  }
}
