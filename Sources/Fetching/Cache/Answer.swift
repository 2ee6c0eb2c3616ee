import Core
import HTTP
import Synchronization

/// What a chain of redirects ended with.
struct Answer: Sendable {
  var address: PageAddress
  /// The addresses between the one asked for and the one that answered.
  var redirects: [String] = []
  /// Whether a redirect led from https to http.
  var isDowngraded = false
  var head: HTTPHead
  var body: [UInt8] = []
  var timing: HTTPTiming?
  /// The address that answered, where that is the host's own and no proxy's.
  var peer: SocketAddress?
  var isFromCache = false
  /// Whether it holds one of the places of the schedule, to be given back once it is read.
  var holdsPlace = false
  /// The memory that is kept for reading the body.
  var memory: MemoryBudget.Reservation?
  /// Why the body is not whole.
  var failure: Failure?
}

/// Keeps the address that a request went to: the one its guard was asked about last.
final class Peer: Sendable {
  private let address = Mutex<SocketAddress?>(nil)

  var last: SocketAddress? { address.withLock { $0 } }

  /// The guard, watched.
  func watching(_ guarding: @escaping AddressGuard) -> AddressGuard {
    { peer in
      self.address.withLock { $0 = peer }
      return guarding(peer)
    }
  }
}

/// One page's way through redirects and retries.
struct Trip: Sendable {
  /// What is asked for, which decides about fields, bounds and robots.txt.
  enum Purpose: Sendable {
    case page(obeysRobots: Bool)
    case robots
  }

  let asked: PageAddress
  let purpose: Purpose
  /// The job's number in its batch: of those that wait for one host the lowest is first.
  let number: Int
  /// Where it is now.
  var address: PageAddress
  /// Where redirects led, in order, the last one being where it is now.
  var hops: [String] = []
  var isDowngraded = false
  /// Seconds that requests may still take; what is waited between them does not count.
  var secondsLeft: Double

  init(_ asked: PageAddress, _ purpose: Purpose, number: Int = 0, seconds: Double) {
    self.asked = asked
    self.purpose = purpose
    self.number = number
    address = asked
    // 0 is no limit, which is a day here; a wild number must not overflow a clock.
    secondsLeft = seconds.isFinite && seconds > 0 ? min(seconds, 86_400) : 86_400
  }

  var isForRobots: Bool { if case .robots = purpose { true } else { false } }

  var obeysRobots: Bool { if case .page(let obeys) = purpose { obeys } else { false } }

  /// Goes where a redirect leads.
  mutating func go(to next: PageAddress) {
    isDowngraded = isDowngraded || (address.isSecure && !next.isSecure)
    hops.append(next.text)
    address = next
  }
}
