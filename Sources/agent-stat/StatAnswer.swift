import Core
import Display
import Watching

/// The answer to a query of agent-stat.
struct StatAnswer: Sendable {
  /// The records of the answer.
  var records: [any StreamRecord]
  /// The events of the answer, each as a line of JSON.
  var events: [String] = []
  /// The plots of calls, for text output.
  var plots: CallPlots?
  /// The name of the machine whose records name none; nil if it is unknown.
  var host: String?
  /// The age of the answer, if the hub could not be reached; nil otherwise.
  var staleness: Staleness?

  /// Creates an answer.
  init(_ records: [any StreamRecord], events: [String] = [], plots: CallPlots? = nil) {
    (self.records, self.events, self.plots) = (records, events, plots)
  }
}

extension Staleness {
  /// A sentence that reports the staleness of the answer.
  var sentence: String {
    "stale, from \(Ago.text(since, now: .now)): '\(hub)' \(reason)"
  }
}
