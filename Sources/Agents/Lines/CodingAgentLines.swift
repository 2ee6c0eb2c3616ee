import Core
import Events

/// A parser that converts the output of one coding agent to events.
///
/// Events contain the length of messages, but not their text.
protocol CodingAgentLines: Sendable {
  /// `true` after a line of the agent was seen.
  ///
  /// From then on, other JSON objects may also count as the agent's.
  var isKnown: Bool { get }

  /// Returns the events that the given line reports; nil if the agent did not print the line.
  mutating func events(
    of line: JSONObject, _ report: inout RunReport, at now: Timestamp
  ) -> [any Event]?

  /// Reads the given line of standard output, which is no JSON object.
  mutating func read(plain line: [UInt8], _ report: inout RunReport)

  /// Returns the events that were still pending when the output ended.
  mutating func end(_ report: inout RunReport, at now: Timestamp) -> [any Event]
}

extension CodingAgentLines {
  /// Does nothing: most agents print only JSON objects.
  func read(plain line: [UInt8], _ report: inout RunReport) {}
}
