import Core
import HTTP
import Synchronization

/// The response to the last request in a chain of redirects.
struct Answer: Sendable {
  var address: PageAddress
  /// The addresses that the redirects led to, between the requested address and the final one.
  var redirects: [String] = []
  /// `true` if a redirect led from https to http.
  var isDowngraded = false
  var head: HTTPHead
  var body: [UInt8] = []
  var timing: HTTPTiming?
  /// The socket address of the server that answered; nil if a proxy answered.
  var peer: SocketAddress?
  var isFromCache = false
  /// `true` if the answer holds a place in the schedule.
  ///
  /// The place must be released once the body has been read.
  var holdsPlace = false
  /// The memory that is reserved for reading the body.
  var memory: MemoryBudget.Reservation?
  /// The failure that cut the body off; nil if the body is complete.
  var failure: Failure?
}

/// A recorder of the address that a guard judged last.
///
/// That address is the one from which the answer came.
final class Peer: Sendable {
  private let address = Mutex<SocketAddress?>(nil)

  var last: SocketAddress? { address.withLock { $0 } }

  /// Returns a guard that judges as the given guard does, and also records each address.
  func watching(_ guarding: @escaping AddressGuard) -> AddressGuard {
    { peer in
      self.address.withLock { $0 = peer }
      return guarding(peer)
    }
  }
}

/// The state of the redirects and retries for one page.
struct Trip: Sendable {
  /// The purpose of a request.
  ///
  /// It determines the fields, the limits and the use of robots.txt.
  enum Purpose: Sendable {
    case page(obeysRobots: Bool)
    case robots
  }

  let asked: PageAddress
  let purpose: Purpose
  /// The number of the job in its batch.
  ///
  /// If several jobs wait for the same host, the one with the lowest number goes first.
  let number: Int
  /// The current address.
  var address: PageAddress
  /// The targets of the redirects, in order.
  ///
  /// The last target is the current address.
  var hops: [String] = []
  var isDowngraded = false
  /// The number of seconds that remain for requests.
  ///
  /// Waits between requests do not count.
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

  /// Continues the trip at the given target of a redirect.
  mutating func go(to next: PageAddress) {
    isDowngraded = isDowngraded || (address.isSecure && !next.isSecure)
    hops.append(next.text)
    address = next
  }
}
