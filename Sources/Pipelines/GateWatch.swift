public import Core
import Foundation

/// Waits for a gate's decision in the store.
public struct GateWatch: Sendable {
  private let store: Store

  /// Watches gates in a store.
  public init(store: Store) {
    self.store = store
  }

  /// Waits until somebody decides a gate.
  ///
  /// - Parameters:
  ///   - gateId: The gate.
  ///   - seconds: How long to wait; nil waits on.
  /// - Returns: The decided gate; nil when the time is up.
  /// - Throws: `StorageFailed`; `Interrupted` when the task is cancelled.
  public func decision(gateId: String, seconds: Double?) async throws(Failure) -> ApprovalGate? {
    let end = seconds.map { Timestamp.now.adding(seconds: $0) }
    while true {
      if let gate = try decided(gateId) { return gate }
      if let end, Timestamp.now >= end { return nil }
      do {
        try await Task.sleep(for: .milliseconds(100))
      } catch {
        throw Failure(.interrupted, "interrupted while waiting for gate '\(gateId)'")
      }
    }
  }

  /// The gate, if it is decided.
  ///
  /// - Throws: `StorageFailed`; `NotFound` when the gate is gone.
  public func decided(_ gateId: String) throws(Failure) -> ApprovalGate? {
    try store.expireGates()
    guard let gate = try store.gate(gateId) else {
      throw Failure(.notFound, "there is no gate '\(gateId)'", input: gateId)
    }
    return gate.status == .pending ? nil : gate
  }
}
