import Core
import Foundation
import HTTP

extension PageFetcher {
  /// The maximum number of redirects that are followed to a robots.txt (RFC 9309, section 2.3.1.2).
  private static let maximumRobotsRedirects = 5

  /// Requests the current address of the given trip, and follows redirects.
  ///
  /// Each address on the way is checked, and waits for its host's turn.
  ///
  /// - Throws: The failure to fetch an address, with the redirects that were followed before it.
  func follow(_ trip: Trip) async throws(Failure) -> Answer {
    var trip = trip
    do throws(Failure) {
      while true {
        let answer = try await answer(&trip)
        guard let next = try target(of: answer, &trip) else {
          var answer = answer
          answer.redirects = trip.hops.dropLast()
          answer.isDowngraded = trip.isDowngraded
          return answer
        }
        if answer.holdsPlace { schedule.release() }
        let limit = trip.isForRobots ? Self.maximumRobotsRedirects : options.maximumRedirects
        trip.go(to: next)
        guard trip.hops.count <= limit else {
          throw Failure(
            .pageRefused,
            "'\(Failure.shownURL(trip.asked.text))' redirects more than \(limit) times",
            kind: .tooManyRedirects, status: answer.head.status)
        }
      }
    } catch {
      var failure = error
      if !trip.hops.isEmpty { failure.redirects = trip.hops }
      throw failure
    }
  }

  /// Returns the address that the given answer redirects to; nil if the answer is final.
  private func target(of answer: Answer, _ trip: inout Trip) throws(Failure) -> PageAddress? {
    guard answer.head.isRedirect, let location = answer.head.value("location") else { return nil }
    do throws(Failure) {
      return try answer.address.resolve(location)
    } catch {
      if answer.holdsPlace { schedule.release() }
      trip.hops.append(PageAddress.shown(location))
      var failure = error
      failure.status = answer.head.status
      throw failure
    }
  }

  /// Returns the answer at the trip's current address.
  ///
  /// It comes from the cache, or from the server after retries if necessary.
  private func answer(_ trip: inout Trip) async throws(Failure) -> Answer {
    let address = trip.address
    if trip.obeysRobots { try await checkRobots(address) }
    let request = request(trip)
    var finding = cache?.find(address.text, request.fields) ?? .nothing
    switch finding {
    case .fresh(let found) where isAllowed(found, address): return Answer(found, at: address)
    case .stale(let found) where isAllowed(found, address): break
    default: finding = .nothing
    }
    var tries = 0
    while true {
      tries += 1
      try await schedule.enter(address.origin, number: trip.number)
      let clock = ContinuousClock()
      let began = clock.now
      do throws(Failure) {
        var answer = try await send(request, trip, finding)
        trip.secondsLeft -= (clock.now - began) / .seconds(1)
        schedule.leave(address.origin)
        schedule.remember(address.origin, isAnswered: true)
        answer.holdsPlace = true
        return answer
      } catch {
        trip.secondsLeft -= (clock.now - began) / .seconds(1)
        schedule.leave(address.origin)
        schedule.release()
        try wait(after: error, tries, address)
      }
    }
  }

  /// Prevents requests to the host until the next attempt.
  ///
  /// - Throws: The given failure if no attempt is left.
  private func wait(
    after failure: Failure, _ tries: Int, _ address: PageAddress
  ) throws(Failure) {
    let policy = RetryPolicy.pages(
      retries: options.retries, firstWait: options.firstRetryWait)
    let jitter = Double.random(in: 0..<1)
    guard schedule.mayRetry(address.origin), !Task.isCancelled,
      let seconds = policy.delay(after: failure, tries: tries, jitter: jitter)
    else {
      schedule.remember(address.origin, isAnswered: !RetryPolicy.mayPass(failure))
      throw failure
    }
    schedule.hold(address.origin, seconds: seconds)
  }

  /// Returns `true` if this run may connect to the address that the given cached answer came from.
  private func isAllowed(_ found: CachedResponse, _ address: PageAddress) -> Bool {
    let bytes = found.head.address?.split(separator: ".").compactMap { UInt8($0) } ?? []
    guard let peer = SocketAddress(bytes: bytes, port: address.port) else { return false }
    return options.policy(for: address)(peer) == nil
  }
}

extension Answer {
  /// Creates an answer from the given answer in the cache.
  init(_ found: CachedResponse, at address: PageAddress) {
    self.init(address: address, head: found.head.http, body: found.body, isFromCache: true)
  }
}

extension HTTPHead {
  /// `true` if the status is a redirect.
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}
