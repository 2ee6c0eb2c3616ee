import Core
import Requests

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
      let store = store
      try await write { () throws(Failure) in
        for gate in gates where try store.gate(gate.gateId) == nil { _ = try store.open(gate) }
      }
    }
    return try await ingest.append(received.events, bytes: bytes)
  }
}
