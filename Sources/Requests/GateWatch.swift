public import Core
import Foundation
public import Storage

/// A watch on the gates in a store, which waits until one of them is decided.
public struct GateWatch: Sendable {
  private let store: Store

  /// Creates a watch on the gates in the given store.
  public init(store: Store) { self.store = store }

  /// Waits until the given gate is decided or the time limit expires.
  ///
  /// - Parameters:
  ///   - gateId: The id of the gate.
  ///   - seconds: The time limit; nil to wait without limit.
  /// - Returns: The decided gate; nil if the time limit expired.
  /// - Throws: `NotFound` if the store has no such gate; `StorageFailed` if the store cannot be
  ///   used; `Interrupted` if the task is cancelled.
  public func decision(gateId: String, seconds: Double?) async throws(Failure) -> ApprovalGate? {
    let end = Interruption()
    let result: Result<ApprovalGate?, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A person's decision may take long, so the wait has a separate thread.
        Thread.detachNewThread {
          do throws(Failure) {
            continuation.resume(
              returning: .success(
                try decision(gateId: gateId, seconds: seconds, interruption: end)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      end.fire(signal: SIGINT)
    }
    do {
      return try result.get()
    } catch  where error.code == .interrupted {
      throw Failure(.interrupted, "interrupted while waiting for gate '\(gateId)'")
    }
  }

  /// Waits as ``decision(gateId:seconds:)`` does, but blocks the calling thread.
  ///
  /// - Parameters:
  ///   - gateId: The id of the gate.
  ///   - seconds: The time limit; nil to wait without limit.
  ///   - interruption: The interruption that ends the wait.
  /// - Returns: The decided gate; nil if the time limit expired.
  /// - Throws: `NotFound` if the store has no such gate; `StorageFailed` if the store cannot be
  ///   used; `Interrupted` if `interruption` ended the wait.
  public func decision(
    gateId: String, seconds: Double?, interruption: Interruption
  ) throws(Failure) -> ApprovalGate? {
    let changes = try store.base.wakeUp(interruption)
    let last = seconds.map { store.now.adding(seconds: $0) }
    while true {
      if let gate = try decided(gateId) { return gate }
      // If a hub owns the gate, only the hub rejects it when it expires. So its expiry is not
      // awaited.
      let isOwned = try store.hub(ofGate: gateId)?.isOwner ?? false
      let expiry = isOwned ? nil : try store.gate(gateId)?.expiresAt
      guard let due = [last, expiry].compactMap(\.self).min() else {
        _ = try changes(-1)
        continue
      }
      let now = store.now
      if let last, last <= now { return nil }
      let left = max(1, due.seconds(since: now) * 1000 + 1)
      _ = try changes(Int32(min(left, 3_600_000)))
    }
  }

  /// Returns the given gate if it is decided; nil if it is pending.
  ///
  /// - Throws: `NotFound` if the store has no such gate; `StorageFailed` if the store cannot be
  ///   used.
  public func decided(_ gateId: String) throws(Failure) -> ApprovalGate? {
    try store.expireGates()
    guard let gate = try store.gate(gateId) else {
      throw Failure(.notFound, "there is no gate '\(gateId)'", input: gateId)
    }
    return gate.status == .pending ? nil : gate
  }
}
