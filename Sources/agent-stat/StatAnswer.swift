import Core
import Display
import Watching

/// What a question comes to.
struct StatAnswer: Sendable {
  /// The records.
  var records: [any StreamRecord]
  /// Events that belong to them, each as its line.
  var events: [String] = []
  /// Plots of calls, for who reads text.
  var plots: CallPlots?
  /// Since when it holds, where a hub was not there to be asked.
  var staleness: Staleness?

  /// An answer of records alone.
  init(_ records: [any StreamRecord], events: [String] = [], plots: CallPlots? = nil) {
    (self.records, self.events, self.plots) = (records, events, plots)
  }
}

extension Staleness {
  /// It in a sentence.
  var sentence: String {
    "stale, from \(Ago.text(since, now: .now)): '\(hub)' \(reason)"
  }
}
