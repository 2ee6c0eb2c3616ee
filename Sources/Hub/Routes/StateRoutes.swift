import Core
import Events
import HTTPTypes
import HubWords
import Synchronization

/// The routes for the hub's health and metrics.
struct StateRoutes: Sendable {
  let desk: HubDesk
  let ring: LiveRing
  let openings: Openings
  let counts: HubCounts
  let pairing: PairingDesk
  /// The forwarder of events; nil if forwarding is off.
  let forwarder: Forwarder?

  var all: [HubRoute] {
    [
      .get("/health", for: .everybody) { (request) async throws(Failure) in try await health() },
      .get("/v1/health", for: .everybody) { (request) async throws(Failure) in
        try await health()
      },
      .get("/metrics", for: .machine) { _ async throws(Failure) in
        HubAnswer(Array(metrics.utf8), contentType: "text/plain; version=0.0.4")
      },
    ]
  }

  /// Returns the hub's health: `ok` if events can be stored.
  private func health() async throws(Failure) -> HubAnswer {
    // The route is open to everyone, so the response contains no file paths.
    let outage = desk.outage
    let code = (outage ?? desk.ingest.lastFailure)?.code.rawValue
    return try HubAnswer(
      HealthAnswer(code: code, missing: outage == nil ? nil : "database"),
      status: code == nil ? .ok : .serviceUnavailable)
  }

  private typealias Number = (name: String, kind: String, help: String, value: String)

  /// The metrics of forwarding.
  private var forwarded: [Number] {
    guard let counts = forwarder?.counts else { return [] }
    return [
      (
        "forwarded_events_total", "counter", "Events that the collector accepted.", "\(counts.sent)"
      ),
      (
        "rejected_events_total", "counter", "Events that the collector rejected.",
        "\(counts.rejected)"
      ),
      (
        "forwarding_retries_total", "counter", "Requests that were retried.",
        "\(counts.retries)"
      ),
      (
        "forwarding_gaps_total", "counter",
        "Times that events were deleted before they were forwarded.",
        "\(counts.gaps)"
      ),
    ]
  }

  /// The metrics in Prometheus' text format, version 0.0.4.
  private var metrics: String {
    let numbers: [Number] = [
      (
        "ingested_events_total", "counter", "Events that were received.",
        "\(desk.ingest.accepted.load(ordering: .relaxed))"
      ),
      (
        "log_write_seconds_total", "counter", "Time spent writing the event log.",
        "\(Double(desk.ingest.nanoseconds.load(ordering: .relaxed)) / 1e9)"
      ),
      (
        "subscribers", "gauge", "Subscribers of the live stream.",
        "\(openings.count(of: .subscription))"
      ),
      (
        "suppressed_events_total", "counter",
        "Events withheld from subscribers by their rate limit.",
        "\(counts.suppressed)"
      ),
      (
        "gaps_total", "counter", "Times that a subscriber was too slow for the ring.",
        "\(counts.gaps)"
      ),
      (
        "store_read_seconds_total", "counter", "Time spent reading files.",
        "\(Double(desk.threads.readNanoseconds) / 1e9)"
      ),
      (
        "store_write_seconds_total", "counter", "Time spent writing the store.",
        "\(Double(desk.threads.writeNanoseconds) / 1e9)"
      ),
      (
        "uncounted_gaps_total", "counter",
        "Times that events were deleted before they were counted.",
        "\(desk.logKeeper.gaps.load(ordering: .relaxed))"
      ),
      (
        "pairing_codes_compared_total", "counter", "Typed pairing codes that were checked.",
        "\(pairing.compared.load(ordering: .relaxed))"
      ),
      ("ring_bytes", "gauge", "Events in memory.", "\(ring.byteCount)"),
    ]
    return (numbers + forwarded).map { number in
      let name = "agentpipes_hub_\(number.name)"
      return
        "# HELP \(name) \(number.help)\n# TYPE \(name) \(number.kind)\n\(name) \(number.value)\n"
    }.joined()
  }
}
