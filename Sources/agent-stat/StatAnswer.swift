import Core
import Display
import Watching

/// The answer to a query of the state.
struct StatAnswer: Sendable {
  /// The records.
  var records: [any StreamRecord]
  /// The events of the answer, each as a line of JSON.
  var events: [String] = []
  /// The plots of calls, for text output.
  var plots: CallPlots?
  /// The age of the answer if the hub could not be reached; otherwise nil.
  var staleness: Staleness?

  /// Creates an answer.
  init(_ records: [any StreamRecord], events: [String] = [], plots: CallPlots? = nil) {
    (self.records, self.events, self.plots) = (records, events, plots)
  }
}

extension Staleness {
  /// The staleness of the answer, as a sentence.
  var sentence: String {
    "stale, from \(Ago.text(since, now: .now)): '\(hub)' \(reason)"
  }
}
