import Core
import Requests
import Storage

extension HubDesk {
  /// Takes events in that somebody sent; gates that wait are opened first, so that they can be decided.
  ///
  /// - Parameters:
  ///   - received: The events, as the log is to have them.
  ///   - bytes: How large they are, roughly.
  /// - Returns: Their ids, once they are in the log.
  /// - Throws: As ``write(_:)`` and ``IngestDesk/append(_:bytes:)``.
  func take(_ received: ReceivedEvents, bytes: Int) async throws(Failure) -> [String] {
    let gates = received.gates
    if !gates.isEmpty {
      let (store, device) = (store, received.visitor?.deviceId)
      try await write { () throws(Failure) in
        for gate in gates where try store.gate(gate.gateId) == nil {
          // A gate that is kept has its device.
          if let device { try store.base.write { try $0.note(gate: gate.gateId, by: device) } }
          _ = try store.open(gate)
        }
      }
    }
    return try await ingest.append(received.events, bytes: bytes)
  }
}
