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
        for gate in gates where try store.gate(gate.gateId) == nil {
          // The gate must not be stored before its device.
          if let device { try store.base.write { try $0.record(gate: gate.gateId, by: device) } }
          _ = try store.open(gate)
        }
      }
    }
    return try await ingest.append(received.events, bytes: bytes)
  }
}
