public import Core
import Foundation
import HTTP
public import HubClient
import Synchronization
public import Watching

/// What a hub answers, and what it answered last: whoever is in a hurry is told that, where the hub is
/// too slow or away.
///
/// The last answer to each question is a file of this user alone in the state folder. It waits for the
/// network, so it must not be asked on a thread of Swift's pool.
public final class HubAnswers: Lookout {
  /// So many seconds a hub is waited for where there is an answer that it gave before.
  public static let patience = 0.4

  private let peer: HubPeer
  private let files: KeptAnswers
  private let interruption: Interruption
  private let pending = Mutex<[String: PendingWork<[UInt8]>]>([:])

  /// Asks a hub.
  ///
  /// - Parameters:
  ///   - peer: The hub.
  ///   - directories: Where answers are kept.
  ///   - interruption: Ends a wait.
  public init(_ peer: HubPeer, _ directories: Directories, interruption: Interruption) {
    var peer = peer
    // A person waits.
    peer.timeouts = HTTPTimeouts(connect: 5, idle: 10, total: 20)
    self.peer = peer
    files = KeptAnswers(peer.hub.url, directories)
    self.interruption = interruption
  }

  /// The hub's URL.
  var url: String { peer.hub.url }

  /// Looks at how everything stands now, as the hub tells it.
  public func outlook() -> any Outlook { HubOutlook(self) }

  /// The body of an answer, and since when it holds where it is not what the hub says now.
  ///
  /// - Parameters:
  ///   - path: What is asked.
  ///   - end: Until when the hub is waited for, where it answered this before.
  /// - Returns: Both.
  /// - Throws: What asking throws where the hub never answered this, or says that it will not.
  func answer(
    to path: String, until end: ContinuousClock.Instant
  ) throws(Failure) -> (body: [UInt8], staleness: Staleness?) {
    let kept = files.read(path)
    let work = pending.withLock { pending in
      let peer = peer
      let work =
        pending[path] ?? PendingWork { () async throws(Failure) in try await peer.get(path) }
      pending[path] = work
      return work
    }
    guard let result = try result(of: work, until: kept == nil ? nil : end) else {
      // The work goes on: who asks again may find it done.
      let reason = "did not answer within \(Int(Self.patience * 1000)) ms"
      return stale(kept, reason) ?? ([], nil)
    }
    pending.withLock { $0[path] = nil }
    switch result {
    case .success(let body):
      files.keep(body, as: path)
      return (body, nil)
    case .failure(let failure):
      guard Self.passes(failure) else {
        files.forget(path)
        throw failure
      }
      guard let stale = stale(kept, "cannot be asked: \(failure.explanation)") else {
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

  /// What work comes to; nil where it goes on at the end of the wait.
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

  /// Whether a failure says nothing of what was asked: the hub is away, or not well.
  private static func passes(_ failure: Failure) -> Bool {
    switch failure.code {
    case .networkUnavailable, .timeout, .serverError, .overloaded, .rateLimited, .storageFailed,
      .invalidResponse:
      true
    default: false
    }
  }
}
