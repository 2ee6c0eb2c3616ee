import Core
import HTTP
import Synchronization

/// One search for a hub of a group that answers, which begins at the current hub.
struct HubRound {
  private let peers: [HubPeer]
  private let current: CurrentHub
  private let first: Int
  /// The failures of the hubs that were tried, in order.
  private var failures: [Failure] = []

  init(_ peers: [HubPeer], _ current: CurrentHub) {
    (self.peers, self.current, first) = (peers, current, current.index)
  }

  private var index: Int { (first + failures.count) % peers.count }

  /// The hub to try now.
  var peer: HubPeer { peers[index] }

  /// Makes the hub that answered the current one, unless the search began with it.
  ///
  /// A slow answer therefore does not undo the result of another search.
  func stay() {
    if !failures.isEmpty { current.move(to: index) }
  }

  /// Goes on to the next hub.
  ///
  /// - Parameter failure: The failure of the hub that was tried.
  /// - Throws: The failure, if it is an answer; a failure that names each hub, if all were tried.
  mutating func goOn(after failure: Failure) throws(Failure) {
    guard failure.showsUnavailableHub else {
      if failure.status != nil { stay() }
      throw failure
    }
    failures.append(failure)
    guard failures.count == peers.count else { return }
    throw failures.count == 1 ? failure : Failure(ofHubs: failures)
  }
}

/// The position of a group's current hub in the list.
final class CurrentHub: Sendable {
  private let position = Atomic(0)

  var index: Int { position.load(ordering: .relaxed) }

  func move(to index: Int) { position.store(index, ordering: .relaxed) }
}

extension Failure {
  /// `true` if the hub is unavailable: it gave no answer, or its database is unavailable.
  var showsUnavailableHub: Bool {
    // A response that is cut off has the status of its head.
    if let status, !(200...299).contains(status) { return [502, 503, 504].contains(status) }
    return switch code {
    case .networkUnavailable, .timeout, .streamInterrupted: true
    // A head that was cut off is reported like a malformed head.
    case .invalidResponse: [.protocol, .shortBody].contains(kind)
    default: false
    }
  }

  /// Creates the failure that reports that no hub of a group answers, from that of each hub.
  fileprivate init(ofHubs failures: [Failure]) {
    let first = failures[0]
    self.init(
      first.code, "no hub answers: " + failures.map(\.explanation).joined(separator: "; "),
      kind: first.kind, retryAfterSeconds: first.retryAfterSeconds)
  }
}
