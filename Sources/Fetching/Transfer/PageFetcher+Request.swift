import Core
import Foundation
import HTTP
import Reading

extension PageFetcher {
  /// Returns the request for the current address of the given trip.
  func request(_ trip: Trip) -> HTTPRequest {
    let seconds = max(trip.secondsLeft, 0.001)
    var request = HTTPRequest(
      url: trip.address.text, fields: fields(trip),
      timeouts: HTTPTimeouts(connect: min(10, seconds), idle: seconds, total: seconds),
      maximumBodyBytes: trip.isForRobots
        ? RobotsRules.maximumBytes + 1 : options.maximumDecodedBytes,
      maximumWireBytes: options.maximumWireBytes, addressGuard: options.policy(for: trip.address))
    request.noticesCutEncoding = true
    return request
  }

  private func fields(_ trip: Trip) -> [HTTPField] {
    let isFirst = trip.address.origin == trip.asked.origin && !trip.isForRobots
    var fields = options.fields.filter { isFirst || !options.isSecret($0) }
    if trip.isForRobots { fields.removeAll { $0.isNamed("accept") } }
    var defaults = [
      HTTPField("User-Agent", options.userAgent),
      HTTPField(
        "Accept",
        trip.isForRobots
          ? "text/plain, */*;q=0.5" : "text/markdown, text/html;q=0.9, */*;q=0.5"),
    ]
    if isFirst, let authorization = trip.asked.authorization {
      defaults.append(HTTPField("Authorization", authorization))
    }
    for field in defaults where !fields.contains(where: { $0.isNamed(field.name) }) {
      fields.append(field)
    }
    return fields
  }

  /// Sends the given request and returns the answer.
  ///
  /// The body of a redirect or an error is not awaited. If the cache has a stale answer, the server
  /// is asked to validate that answer.
  func send(
    _ request: HTTPRequest, _ trip: Trip, _ finding: PageCache.Finding
  ) async throws(Failure) -> Answer {
    var request = request
    guard trip.secondsLeft > 0 else {
      throw Failure(
        .timeout, "'\(Failure.shownURL(trip.asked.text))' did not answer in time",
        kind: .totalTimeout)
    }
    let total = trip.secondsLeft
    request.timeouts = HTTPTimeouts(connect: min(10, total), idle: total, total: total)
    request.resolutions = options.resolutions?(trip.address.host, trip.address.port) ?? []
    if HTTPProxy.isUsed(for: request.url) {
      try await judge(trip.address)
      request.isTargetJudged = true
    }
    let fields = request.fields
    var kept: CachedResponse?
    if case .stale(let found) = finding, !fields.contains(where: { $0.isNamed("if-none-match") }) {
      kept = found
      request.fields += CachePolicy.conditions(found.head.http)
    }
    let answer = try await receive(request, trip, mayBeUnchanged: kept != nil)
    if let kept, let cache, answer.head.status == 304 {
      var confirmed = Answer(cache.confirm(kept, by: answer.head), at: trip.address)
      confirmed.timing = answer.timing
      return confirmed
    }
    if let cache, answer.failure == nil, answer.peer != nil {
      let secrets =
        hasCookies || trip.asked.authorization != nil
        || fields.contains { options.isSecret($0) }
      cache.save(
        trip.address.text, fields, answer, secrets: secrets,
        atLeast: trip.isForRobots ? RobotsDirectory.lifetime : 0)
    }
    return answer
  }

  /// Checks all socket addresses of the given target by the policy.
  ///
  /// This is needed because a proxy will connect to one of them.
  private func judge(_ address: PageAddress) async throws(Failure) {
    let policy = options.policy(for: address)
    for peer in try await HostAddresses.find(address.host, port: address.port) {
      guard let reason = policy(peer) else { continue }
      throw Failure(blocked: address.text, because: reason)
    }
  }

  private func receive(
    _ request: HTTPRequest, _ trip: Trip, mayBeUnchanged: Bool
  ) async throws(Failure) -> Answer {
    var answer = Answer(address: trip.address, head: HTTPHead(status: 0))
    var request = request
    var body = BodyBuffer()
    let peer = Peer()
    request.addressGuard = request.addressGuard.map { peer.watching($0) }
    do {
      for try await event in client.stream(request) {
        switch event {
        case .head(let head):
          answer.head = head
          answer.peer = request.isTargetJudged ? nil : peer.last
          if head.isRedirect, head.value("location") != nil { return answer }
          if !mayBeUnchanged || head.status != 304 { try check(head, trip) }
          let length = head.value("content-length").flatMap { Int($0) } ?? 0
          body.reserve(length)
        case .body(let bytes): try body.append(bytes)
        case .end(let timing):
          answer.timing = timing
          return try await filled(answer, &body, trip)
        }
      }
    } catch let failure as Failure {
      guard body.count > 0, failure.code != .interrupted, failure.code != .storageFailed else {
        throw failure
      }
      answer.failure = failure
      return try await filled(answer, &body, trip)
    } catch {
      throw Failure(.networkUnavailable, "the transfer failed", cause: "\(error)")
    }
    throw Failure(.interrupted, "the request was cancelled")
  }

  /// Returns the given answer with its body, as soon as there is memory to read the body.
  private func filled(
    _ answer: Answer, _ body: inout BodyBuffer, _ trip: Trip
  ) async throws(Failure) -> Answer {
    var answer = answer
    if !trip.isForRobots {
      answer.memory = try await reader.reserve(body.count, start: body.start)
    }
    answer.body = try body.contents()
    return answer
  }

  /// Throws a failure if the response is an error or its type cannot be read.
  private func check(_ head: HTTPHead, _ trip: Trip) throws(Failure) {
    guard (200..<300).contains(head.status) else {
      var failure = Failure(
        httpStatus: head.status, head: head, url: trip.address.text, message: nil)
      // The default code for 401 means that the API key of a model is invalid.
      if head.status == 401 { failure.code = .permissionDenied }
      throw failure
    }
    guard !trip.isForRobots, case .unsupported(let type) = DocumentKind.labelled(head.mediaType)
    else { return }
    var failure = Failure.unsupportedType(
      type, bytes: head.value("content-length").flatMap { Int($0) }, url: trip.address.text)
    failure.status = head.status
    throw failure
  }
}
