import Core
import Requests
import Storage

extension HubDesk {
  /// Stores the given events.
  ///
  /// The pending gates among them are opened first, so that they can be decided.
  ///
  /// - Parameters:
  ///   - received: The events in the form for the log.
  ///   - bytes: The approximate size of the events.
  /// - Returns: The ids of the events, after they are in the log.
  /// - Throws: As ``write(_:)`` and ``IngestDesk/append(_:bytes:)``.
  func receive(_ received: ReceivedEvents, bytes: Int) async throws(Failure) -> [String] {
    let gates = received.gates
    if !gates.isEmpty {
      let (store, device) = (store, received.visitor?.deviceId)
      try await write { () throws(Failure) in
        for gate in gates {
          // In one transaction, because another hub may receive the same gate.
          try store.base.write { rows in
            guard try !rows.has("SELECT 1 FROM gate WHERE id = ?", [gate.gateId]) else { return }
            if let device { try rows.record(gate: gate.gateId, by: device) }
            try rows.save(gate)
          }
        }
      }
    }
    return try await ingest.append(received.events, bytes: bytes)
  }
}
