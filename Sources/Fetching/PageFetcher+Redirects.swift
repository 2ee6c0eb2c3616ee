import Core
import HTTP

/// What a chain of redirects ended with.
struct Answer: Sendable {
  var address: PageAddress
  /// The addresses between the one asked for and the one that answered.
  var redirects: [String]
  var head: HTTPHead
  var body: [UInt8]
  var timing: HTTPTiming?
  /// Why the body is not whole.
  var failure: Failure?
}

extension PageFetcher {
  /// Asks for an address and follows where it leads: every hop is checked and guarded anew.
  func follow(_ asked: PageAddress) async throws(Failure) -> Answer {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds(options.timeoutSeconds))
    var address = asked
    var hops: [String] = []
    while true {
      let left = (deadline - .now) / .milliseconds(1) / 1000
      guard left > 0 else {
        throw Failure(
          .timeout, "'\(Failure.shownURL(asked.text))' did not answer in time",
          kind: "totalTimeout")
      }
      let request = request(address, isFirstOrigin: address.origin == asked.origin, left)
      var answer = try await ask(request, address)
      guard let next = try target(of: answer) else {
        answer.redirects = hops.dropLast()
        return answer
      }
      guard hops.count < options.maximumRedirects else {
        throw Failure(
          .pageRefused,
          "'\(Failure.shownURL(asked.text))' redirects more than \(options.maximumRedirects) times",
          kind: "tooManyRedirects", status: answer.head.status)
      }
      hops.append(next.text)
      address = next
    }
  }

  /// Where an answer redirects to, nil when it is the answer itself.
  private func target(of answer: Answer) throws(Failure) -> PageAddress? {
    guard Self.isRedirect(answer.head.status), let location = answer.head.value("location") else {
      return nil
    }
    do {
      return try answer.address.resolve(location)
    } catch {
      var failure = error
      failure.status = answer.head.status
      throw failure
    }
  }

  private static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  private func request(
    _ address: PageAddress, isFirstOrigin: Bool, _ seconds: Double
  ) -> HTTPRequest {
    var fields = options.fields.filter { field in
      isFirstOrigin || !Self.secrets.contains { field.isNamed($0) }
    }
    let defaults = [
      HTTPField("User-Agent", options.userAgent),
      HTTPField("Accept", "text/markdown, text/html;q=0.9, */*;q=0.5"),
    ]
    for field in defaults where !fields.contains(where: { $0.isNamed(field.name) }) {
      fields.append(field)
    }
    return HTTPRequest(
      url: address.text, fields: fields,
      timeouts: HTTPTimeouts(connect: min(10, seconds), idle: seconds, total: seconds),
      maximumBodyBytes: options.maximumDecodedBytes, maximumWireBytes: options.maximumWireBytes,
      addressGuard: AddressPolicy(allowPrivate: options.allowPrivate).guard)
  }

  /// Fields that were meant for one origin and for no other.
  private static let secrets = ["authorization", "cookie", "proxy-authorization"]

  /// Sends one request; a redirect's and an error's body is not waited for.
  private func ask(
    _ request: HTTPRequest, _ address: PageAddress
  ) async throws(Failure) -> Answer {
    var answer = Answer(address: address, redirects: [], head: HTTPHead(status: 0), body: [])
    do {
      for try await event in client.stream(request) {
        switch event {
        case .head(let head):
          answer.head = head
          if Self.isRedirect(head.status), head.value("location") != nil { return answer }
          try check(head, address)
        case .body(let bytes): answer.body.append(contentsOf: bytes)
        case .end(let timing):
          answer.timing = timing
          return answer
        }
      }
    } catch let failure as Failure {
      guard !answer.body.isEmpty, failure.code != .interrupted else { throw failure }
      answer.failure = failure
      return answer
    } catch {
      throw Failure(.networkUnavailable, "the transfer failed", cause: "\(error)")
    }
    throw Failure(.interrupted, "the request was cancelled")
  }

  /// Refuses what need not be received: an error's body, and one that cannot be read.
  private func check(_ head: HTTPHead, _ address: PageAddress) throws(Failure) {
    guard (200..<300).contains(head.status) else {
      var failure = Failure(
        httpStatus: head.status, head: head, url: address.text, message: nil)
      // The table's row for 401 is about a model's API key.
      if head.status == 401 { failure.code = .permissionDenied }
      throw failure
    }
    if case .unsupported(let type) = DocumentKind.labelled(head.mediaType) {
      var failure = Failure.unsupportedType(
        type, bytes: head.value("content-length").flatMap { Int($0) }, url: address.text)
      failure.status = head.status
      throw failure
    }
  }

  private func milliseconds(_ seconds: Double) -> Int64 {
    // 0 is no limit, which is a day here; a wild number must not overflow the clock.
    guard seconds.isFinite, seconds > 0 else { return 86_400_000 }
    return Int64(min(seconds, 86_400) * 1000)
  }
}
