import Core
import HTTP
import TestSupport
import Testing

@Suite struct RetryPolicyTests {
  /// The waits that the table gives until it gives up.
  private func waits(
    _ failure: Failure, shouldRetry: Bool? = nil, jitter: Double = 0, retries: Int? = nil
  ) -> [Double] {
    let policy = RetryPolicy(retries: retries)
    return Array(
      sequence(state: 1) { tries -> Double? in
        defer { tries += 1 }
        return policy.delay(
          after: failure, tries: tries, shouldRetry: shouldRetry, jitter: jitter)
      })
  }

  private func answer(_ status: Int, _ fields: HTTPField...) -> Failure {
    Failure(
      httpStatus: status, head: HTTPHead(status: status, fields: fields), url: "https://h/",
      message: nil)
  }

  @Test func `A rate limit is tried five times, from five seconds on`() {
    #expect(waits(answer(429)) == [5, 10, 20, 40])
  }

  @Test func `The peer's own wait is used as it is`() {
    let failure = answer(429, HTTPField("Retry-After", "3"))
    #expect(waits(failure, jitter: 0.99) == [3, 3, 3, 3])
  }

  @Test func `A wait over the maximum ends the tries`() {
    #expect(waits(answer(429, HTTPField("Retry-After", "601"))) == [])
  }

  @Test(arguments: [FailureCode.networkUnavailable, .timeout])
  func `A network failure is tried twice with two seconds between`(code: FailureCode) {
    #expect(waits(Failure(code, "lost")) == [2])
  }

  @Test(arguments: [500, 502, 503, 504, 529])
  func `A server's failure is tried two times more`(status: Int) {
    #expect(waits(answer(status)) == [0.5, 1])
  }

  @Test(arguments: [301, 400, 401, 402, 403, 404, 408, 409, 413, 422, 451])
  func `Other statuses get one request`(status: Int) {
    #expect(waits(answer(status)) == [])
  }

  @Test func `What the peer says about retrying wins`() {
    #expect(waits(answer(429), shouldRetry: false) == [])
    #expect(waits(answer(409), shouldRetry: true) == [0.5, 1])
    #expect(waits(answer(500), shouldRetry: true) == [0.5, 1])
  }

  @Test func `A count of retries replaces the table's`() {
    #expect(waits(answer(500), retries: 0) == [])
    #expect(waits(answer(500), retries: 4) == [0.5, 1, 2, 4])
    #expect(waits(answer(429), retries: 1) == [5])
    #expect(waits(answer(401), retries: 9) == [])
    #expect(waits(answer(429), retries: -1) == [])
    #expect(waits(answer(500), retries: 0, shouldRetry: true) == [])
  }

  @Test func `Jitter lengthens our own waits by up to a quarter`() {
    #expect(waits(answer(429), jitter: 0.5) == [5.625, 11.25, 22.5, 45])
    #expect(waits(answer(429), jitter: .nan) == [5, 10, 20, 40])
  }

  @Test func `Any count of tries gives a wait within its cap`() {
    let policy = RetryPolicy(retries: .max)
    for tries in [Int.min, -1, 0] {
      #expect(policy.delay(after: answer(429), tries: tries, shouldRetry: nil, jitter: 0) == nil)
    }
    #expect(
      policy.delay(after: answer(429), tries: .max - 1, shouldRetry: nil, jitter: 0) == 60)
  }

  private func waits(
    _ failure: Failure, retries: Int, shouldRetry: Bool
  ) -> [Double] {
    waits(failure, shouldRetry: shouldRetry, retries: retries)
  }
}

@Suite struct PageRetryTests {
  private func wait(
    _ status: Int?, _ kind: FailureKind? = nil, after: Double? = nil, tries: Int = 1,
    retries: Int = 2
  ) -> Double? {
    let failure = Failure(
      .serverError, "x", kind: kind, retryAfterSeconds: after, status: status)
    return RetryPolicy.pages(retries: retries).delay(
      after: failure, tries: tries, jitter: 0.5)
  }

  @Test(arguments: [429, 502, 503, 504])
  func `a status that may pass is tried again`(status: Int) {
    #expect(wait(status) == 1)
    #expect(wait(status, tries: 2) == 2)
    #expect(wait(status, tries: 3) == nil)
    #expect(wait(status, retries: 0) == nil)
  }

  @Test(arguments: [200, 400, 401, 403, 404, 408, 410, 500, 501])
  func `another status is not`(status: Int) {
    #expect(wait(status) == nil)
  }

  @Test func `connections are tried again, refusals and bad answers are not`() {
    for kind: FailureKind in ["connect", "reset", "connectTimeout"] {
      #expect(wait(nil, kind) == 1)
    }
    for kind: FailureKind in [
      "resolve", "tls", "blockedAddress", "protocol", "totalTimeout", "tooLarge",
    ] {
      #expect(wait(nil, kind) == nil)
    }
  }

  @Test func `a wait that the server names is kept to, up to a minute`() {
    #expect(wait(503, after: 0) == 0)
    #expect(wait(503, after: 17) == 17)
    #expect(wait(503, after: 1e9) == 60)
    #expect(wait(503, after: -5) == 1)
    #expect(wait(503, after: .nan) == 1)
  }
}
