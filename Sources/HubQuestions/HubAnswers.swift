public import Core
import Foundation
import HTTP
public import HubClient
import Synchronization
public import Watching

/// A source of a hub's state that uses stored responses while the hub is slow or unreachable.
///
/// The last response to each question is stored in a private file in the state folder. Questions
/// wait for the network, so they must not run on a thread of Swift's concurrency pool.
public final class HubAnswers: Lookout {
  /// The longest wait for one hub in seconds, if a response is stored.
  public static let patience = 0.4

  private let hubs: HubGroup
  private let files: KeptAnswers
  private let interruption: Interruption
  private let pending = Mutex<[String: PendingWork<[UInt8]>]>([:])

  /// Creates a source of the given hub's state.
  ///
  /// - Parameters:
  ///   - hubs: The hub or its group.
  ///   - directories: The directories that hold the stored responses.
  ///   - interruption: The signal that ends waits.
  public init(_ hubs: HubGroup, _ directories: Directories, interruption: Interruption) {
    var hubs = hubs
    // These limits are shorter than usual, since a person waits.
    hubs.timeouts = HTTPTimeouts(connect: 5, idle: 10, total: 20)
    self.hubs = hubs
    files = KeptAnswers(hubs.name, directories)
    self.interruption = interruption
  }

  /// The URL of the hub, or the URLs of its group.
  var url: String { hubs.name }

  /// The longest wait for an answer in seconds, if a response is stored.
  ///
  /// It suffices to pass over hubs that cannot be reached.
  var patience: Double { Self.patience + hubs.detour }

  /// Returns the current state as the hub reports it.
  public func outlook() -> any Outlook { HubOutlook(self) }

  /// Returns the body of the response to the given request; if it is a stored one, also its
  /// staleness.
  ///
  /// - Parameters:
  ///   - path: The requested path.
  ///   - end: The time at which the wait ends if a response is stored.
  /// - Returns: The body, and its staleness. The staleness is nil if the hub has just sent the
  ///   body.
  /// - Throws: The errors of the request, if no response is stored or if the hub refuses the
  ///   request.
  func answer(
    to path: String, until end: ContinuousClock.Instant
  ) throws(Failure) -> (body: [UInt8], staleness: Staleness?) {
    let kept = files.read(path)
    let work = pending.withLock { pending in
      let hubs = hubs
      let work =
        pending[path] ?? PendingWork { () async throws(Failure) in try await hubs.get(path) }
      pending[path] = work
      return work
    }
    guard let result = try result(of: work, until: kept == nil ? nil : end) else {
      // The request continues, so the next caller may find it done.
      let reason = "did not answer within \(Int(patience * 1000)) ms"
      return stale(kept, reason) ?? ([], nil)
    }
    pending.withLock { $0[path] = nil }
    switch result {
    case .success(let body):
      files.store(body, as: path)
      return (body, nil)
    case .failure(let failure):
      guard Self.passes(failure) else {
        files.forget(path)
        throw failure
      }
      guard let stale = stale(kept, "cannot be queried: \(failure.explanation)") else {
        throw failure
      }
      return stale
    }
  }

  private func stale(
    _ kept: KeptAnswers.Answer?, _ reason: String
  ) -> (body: [UInt8], staleness: Staleness?)? {
    kept.map { ($0.body, Staleness(hub: url, since: $0.at, reason: reason)) }
  }

  /// Returns the result of the given work; nil if it is not done at `end`.
  private func result(
    of work: PendingWork<[UInt8]>, until end: ContinuousClock.Instant?
  ) throws(Failure) -> Result<[UInt8], Failure>? {
    while true {
      let left = end.map { max(0, ($0 - .now) / .seconds(1)) } ?? .infinity
      if let result = work.result(within: min(left, 0.05)) { return result }
      if interruption.signal != nil {
        work.cancel()
        throw interruption.failure
      }
      if left <= 0 { return nil }
    }
  }

  /// Returns `true` if the given failure is caused by the hub or the network, and not by the
  /// question.
  private static func passes(_ failure: Failure) -> Bool {
    switch failure.code {
    case .networkUnavailable, .timeout, .serverError, .overloaded, .rateLimited, .storageFailed,
      .invalidResponse:
      true
    default: false
    }
  }
}
