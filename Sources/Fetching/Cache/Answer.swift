import Core
import HTTP
import Synchronization

/// The final response of a chain of redirects.
struct Answer: Sendable {
  var address: PageAddress
  /// The addresses between the requested one and the final one.
  var redirects: [String] = []
  /// `true` if a redirect led from https to http.
  var isDowngraded = false
  var head: HTTPHead
  var body: [UInt8] = []
  var timing: HTTPTiming?
  /// The address that answered; nil if it was a proxy's.
  var peer: SocketAddress?
  var isFromCache = false
  /// `true` if it holds a place in the schedule, which must be released once it is read.
  var holdsPlace = false
  /// The memory reserved for reading the body.
  var memory: MemoryBudget.Reservation?
  /// The reason that the body is incomplete.
  var failure: Failure?
}

/// A recorder of the address that a request went to: the last one that its guard judged.
final class Peer: Sendable {
  private let address = Mutex<SocketAddress?>(nil)

  var last: SocketAddress? { address.withLock { $0 } }

  /// Returns the guard with recording.
  func watching(_ guarding: @escaping AddressGuard) -> AddressGuard {
    { peer in
      self.address.withLock { $0 = peer }
      return guarding(peer)
    }
  }
}

/// The state of one page's redirects and retries.
struct Trip: Sendable {
  /// The purpose of the request, which determines its fields, limits and use of robots.txt.
  enum Purpose: Sendable {
    case page(obeysRobots: Bool)
    case robots
  }

  let asked: PageAddress
  let purpose: Purpose
  /// The number of the job in its batch; of jobs that wait for one host, the lowest goes first.
  let number: Int
  /// The current address.
  var address: PageAddress
  /// The targets of the redirects, in order; the last one is the current address.
  var hops: [String] = []
  var isDowngraded = false
  /// The remaining seconds for requests; waits between them do not count.
  var secondsLeft: Double

  init(_ asked: PageAddress, _ purpose: Purpose, number: Int = 0, seconds: Double) {
    self.asked = asked
    self.purpose = purpose
    self.number = number
    address = asked
    // 0 means no limit, which is a day here; an extreme number must not overflow a clock.
    secondsLeft = seconds.isFinite && seconds > 0 ? min(seconds, 86_400) : 86_400
  }

  var isForRobots: Bool { if case .robots = purpose { true } else { false } }

  var obeysRobots: Bool { if case .page(let obeys) = purpose { obeys } else { false } }

  /// Moves to the target of a redirect.
  mutating func go(to next: PageAddress) {
    isDowngraded = isDowngraded || (address.isSecure && !next.isSecure)
    hops.append(next.text)
    address = next
  }
}
