import Foundation
import TestSupport

/// The result of one command.
struct ToolRun: Sendable {
  /// The command, as for a shell.
  var command: String
  /// The endings of its processes.
  var endings: [Ending]
  /// Its stdout.
  var output: String
  /// Its stderr.
  var errors: String

  /// The exit statuses of its processes; a signal counts as in a shell.
  var statuses: [Int32] {
    endings.map { ending in
      switch ending {
      case .exit(let status): status
      case .signal(let number): 128 + number
      }
    }
  }

  /// The records on stdout.
  var records: [Record] { Record.all(in: output) }

  /// Returns the records of one type on stdout.
  func records(_ type: String) -> [Record] {
    records.filter { $0.type == type }
  }

  /// The command, its output and its ending, as in a shell session.
  var transcript: String {
    var lines = ["$ \(command)"]
    lines += output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() } else { lines.append("(no line feed)") }
    var said = errors.split(separator: "\n").map { "2> \($0)" }
    // The processes of a pipeline print in any order.
    if endings.count > 1 { said.sort() }
    lines += said
    lines.append("[\(endings.map(\.description).joined(separator: ", "))]")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A record for tests.
struct Record {
  let fields: [String: Any]

  /// Returns the JSON objects among lines.
  static func all(in text: String) -> [Record] {
    text.split(separator: "\n").compactMap { line in
      guard line.first == "{",
        let value = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      else { return nil }
      return Record(fields: value)
    }
  }

  var type: String { self["type"] }
  var id: String { self["id"] }
  var status: String { self["status"] }

  /// Returns a member's text, looked up through objects by a dotted path; empty if it is missing.
  subscript(_ path: String) -> String {
    value(path).map { "\($0)" } ?? ""
  }

  func number(_ path: String) -> Double? { (value(path) as? NSNumber)?.doubleValue }

  func list(_ path: String) -> [Record] {
    (value(path) as? [[String: Any]] ?? []).map(Record.init)
  }

  func value(_ path: String) -> Any? {
    var (found, rest): (Any?, Substring) = (fields, path[...])
    while !rest.isEmpty {
      let members = found as? [String: Any]
      // The names of attributes have dots, too.
      if let whole = members?[String(rest)] {
        (found, rest) = (whole, "")
      } else {
        let name = rest.prefix { $0 != "." }
        (found, rest) = (members?[String(name)], rest.dropFirst(name.count + 1))
      }
    }
    return found is NSNull ? nil : found
  }
}
