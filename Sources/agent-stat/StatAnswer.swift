import Core
import Display
import Watching

/// The answer to a query.
struct StatAnswer: Sendable {
  /// The records.
  var records: [any StreamRecord]
  /// The events of the answer, each as its line.
  var events: [String] = []
  /// The plots of calls, for text output.
  var plots: CallPlots?
  /// The age of the answer, if the hub could not be reached.
  var staleness: Staleness?

  /// Creates an answer.
  init(_ records: [any StreamRecord], events: [String] = [], plots: CallPlots? = nil) {
    (self.records, self.events, self.plots) = (records, events, plots)
  }
}

extension Staleness {
  /// The staleness in a sentence.
  var sentence: String {
    "stale, from \(Ago.text(since, now: .now)): '\(hub)' \(reason)"
  }
}
