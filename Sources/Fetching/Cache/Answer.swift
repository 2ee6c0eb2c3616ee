import Core
import HTTP
import Synchronization

/// The response at the end of a chain of redirects.
struct Answer: Sendable {
  var address: PageAddress
  /// The addresses between the requested address and the final address.
  var redirects: [String] = []
  /// `true` if a redirect led from https to http.
  var isDowngraded = false
  var head: HTTPHead
  var body: [UInt8] = []
  var timing: HTTPTiming?
  /// The socket address of the server that answered; nil if it was a proxy.
  var peer: SocketAddress?
  var isFromCache = false
  /// `true` if the answer holds a place in the schedule, which must be released once the body is
  /// read.
  var holdsPlace = false
  /// The memory reserved for reading the body.
  var memory: MemoryBudget.Reservation?
  /// The reason that the body is incomplete; nil if it is complete.
  var failure: Failure?
}

/// A recorder of the last address that the guard of a request judged, which is the address of the
/// answer.
final class Peer: Sendable {
  private let address = Mutex<SocketAddress?>(nil)

  var last: SocketAddress? { address.withLock { $0 } }

  /// Returns the given guard with recording added.
  func watching(_ guarding: @escaping AddressGuard) -> AddressGuard {
    { peer in
      self.address.withLock { $0 = peer }
      return guarding(peer)
    }
  }
}

/// The state of one page's redirects and retries.
struct Trip: Sendable {
  /// The purpose of a request, which determines the fields, the limits and the use of robots.txt.
  enum Purpose: Sendable {
    case page(obeysRobots: Bool)
    case robots
  }

  let asked: PageAddress
  let purpose: Purpose
  /// The number of the job in its batch.
  ///
  /// Of several jobs that wait for a host, the lowest number goes first.
  let number: Int
  /// The current address.
  var address: PageAddress
  /// The targets of the redirects, in order; the last target is the current address.
  var hops: [String] = []
  var isDowngraded = false
  /// The number of seconds left for requests; waits between requests do not count.
  var secondsLeft: Double

  init(_ asked: PageAddress, _ purpose: Purpose, number: Int = 0, seconds: Double) {
    self.asked = asked
    self.purpose = purpose
    self.number = number
    address = asked
    // 0 means no limit, which is a day here, because an extreme number would overflow a clock.
    secondsLeft = seconds.isFinite && seconds > 0 ? min(seconds, 86_400) : 86_400
  }

  var isForRobots: Bool { if case .robots = purpose { true } else { false } }

  var obeysRobots: Bool { if case .page(let obeys) = purpose { obeys } else { false } }

  /// Continues with the given target of a redirect.
  mutating func go(to next: PageAddress) {
    isDowngraded = isDowngraded || (address.isSecure && !next.isSecure)
    hops.append(next.text)
    address = next
  }
}
