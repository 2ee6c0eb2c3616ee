public import Core

extension ResponseTimes {
  /// Creates the record of the responses to the given incidents.
  ///
  /// A look or a control before the alert counts as 0 seconds.
  ///
  /// - Parameters:
  ///   - incidents: The incidents, open and closed.
  ///   - since: The earliest time of a first alert that counts.
  public init(of incidents: [Incident], since: Timestamp) {
    self.init(since: since)
    var looks: [Double] = []
    var controls: [Double] = []
    for incident in incidents {
      guard let alert = incident.alertedAt, alert >= since else { continue }
      alerted += 1
      if let look = incident.firstSeenAt { looks.append(max(0, look.seconds(since: alert))) }
      if let control = incident.firstControlAt {
        controls.append(max(0, control.seconds(since: alert)))
      }
    }
    (seen, controlled) = (looks.count, controls.count)
    (seenMedianSeconds, seenP95Seconds) = Self.quantiles(looks)
    (controlMedianSeconds, controlP95Seconds) = Self.quantiles(controls)
  }

  /// Returns the median and the 95th percentile of the given times, by nearest rank; nil for none.
  private static func quantiles(_ times: [Double]) -> (median: Double?, p95: Double?) {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return (nil, nil) }
    let rank = { (percent: Int) in sorted[(sorted.count * percent + 99) / 100 - 1] }
    return (rank(50), rank(95))
  }
}
