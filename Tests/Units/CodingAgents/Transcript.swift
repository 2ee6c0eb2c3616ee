import CodingAgents
import Core
import Foundation

/// Lines of a transcript, and the entries that a parser finds in them.
enum Transcript {
  /// Returns the entries of the given lines.
  ///
  /// The state of the parser is stored and read again after each line.
  static func entries<Parser: TranscriptParser>(
    of lines: [String], _ parser: Parser
  ) throws -> [SessionEntry] {
    var parser = parser
    var entries: [SessionEntry] = []
    for line in lines {
      entries += parser.entries(of: Array(line.utf8))
      parser = try JSONDecoder().decode(Parser.self, from: try JSONEncoder().encode(parser))
    }
    return entries
  }

  /// Returns the calls that count among the given entries.
  static func calls(_ entries: [SessionEntry]) -> [String: CallLedger.Entry] {
    var ledger = CallLedger()
    for entry in entries {
      if case .call(let call) = entry.content { ledger.add(call, of: entry.session) }
    }
    return ledger.calls
  }

  /// Returns the sum of the tokens that the ledger reports as increases.
  static func sum(_ entries: [SessionEntry]) -> Usage {
    var ledger = CallLedger()
    var sum = Usage()
    for entry in entries {
      guard case .call(let call) = entry.content else { continue }
      if let grown = ledger.add(call, of: entry.session) { sum = sum + grown }
    }
    return sum
  }

  /// Returns the prompts among the given entries.
  static func prompts(_ entries: [SessionEntry]) -> [String] {
    entries.compactMap { entry in
      if case .prompt(let prompt) = entry.content { prompt.text } else { nil }
    }
  }

  /// Returns the kinds of unknown entries.
  static func unknown(_ entries: [SessionEntry]) -> [String] {
    entries.compactMap { entry in
      if case .unknown(let kind) = entry.content { kind } else { nil }
    }
  }

  /// Returns the code, the status and the kind of each failure among the given entries.
  static func failures(_ entries: [SessionEntry]) -> [String] {
    entries.compactMap { entry in
      switch entry.content {
      case .failure(let failure): words(failure)
      case .retry(let retry): words(retry.failure)
      case .answer(let answer): answer.failure.map(words)
      default: nil
      }
    }
  }

  private static func words(_ failure: Failure) -> String {
    [failure.code.rawValue, failure.status.map(String.init), failure.kind?.rawValue]
      .compactMap(\.self).joined(separator: " ")
  }
}
