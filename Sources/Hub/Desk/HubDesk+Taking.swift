import Core
import Requests
import Signing

extension HubDesk {
  /// Takes events in that somebody sent; gates that wait are opened first, so that they can be decided.
  ///
  /// - Parameters:
  ///   - events: The events, as the log is to have them.
  ///   - visitor: Who sent them.
  ///   - bytes: How large they are, roughly.
  /// - Returns: Their ids, once they are in the log.
  /// - Throws: As ``write(_:)`` and ``IngestDesk/append(_:bytes:)``.
  func take(
    _ events: [any Event], from visitor: Visitor?, bytes: Int
  ) async throws(Failure) -> [String] {
    let gates = visitor?.scope == .hub ? [] : events.compactMap { $0 as? ApprovalGate }
    if !gates.isEmpty {
      let store = store
      try await write { () throws(Failure) in
        for gate in gates where try store.gate(gate.gateId) == nil { _ = try store.open(gate) }
      }
    }
    return try await ingest.append(events, bytes: bytes)
  }
}
