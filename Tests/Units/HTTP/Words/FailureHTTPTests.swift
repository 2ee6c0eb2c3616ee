import Core
import Foundation
import Testing

@testable import HTTP

@Suite struct FailureHTTPTests {
  @Test(arguments: [
    (400, "BadInput"), (401, "MissingAPIKey"), (402, "QuotaExhausted"), (403, "PermissionDenied"),
    (404, "NotFound"), (408, "Timeout"), (413, "BadInput"), (418, "ServerError"),
    (422, "BadInput"), (429, "RateLimited"), (500, "ServerError"), (503, "ServerError"),
    (504, "Timeout"), (529, "Overloaded"), (302, "ServerError"),
  ])
  func `Every status has its code`(status: Int, code: String) {
    let failure = Failure(
      httpStatus: status, head: HTTPHead(status: status), url: "https://h/p", message: nil)
    #expect(failure.code.rawValue == code)
    #expect(failure.status == status)
    #expect(failure.explanation == "'https://h/p' answered \(status)")
  }

  @Test func `An unavailable server that names a wait is overloaded`() {
    let head = HTTPHead(status: 503, fields: [HTTPField("retry-after", "7")])
    let failure = Failure(httpStatus: 503, head: head, url: "https://h/", message: nil)
    #expect(failure.code == .overloaded)
    #expect(failure.retryAfterSeconds == 7)
  }

  @Test func `Secrets of the URL are not shown`() {
    let failure = Failure(
      httpStatus: 500, head: HTTPHead(status: 500), url: "https://me:pw@x@h:8/p?key=1#f",
      message: "no\r\n\u{1B}[31mway")
    #expect(failure.url == "https://h:8/p")
    #expect(failure.explanation == "'https://h:8/p' answered 500: no [31mway")
    #expect(failure.cause == "no [31mway")
  }

  @Test func `A huge message is cut`() {
    let failure = Failure(
      httpStatus: 500, head: HTTPHead(status: 500), url: "https://h/",
      message: String(repeating: "e\u{301}", count: 1 << 20))
    #expect((failure.cause?.utf8.count ?? .max) < 4096)
  }

  @Test(arguments: [
    ("2", 2.0), ("0.25", 0.25), ("0", 0), ("-1", nil), ("nan", nil), ("inf", nil), ("-inf", nil),
    ("1e300", 31_622_400), ("1e9", 31_622_400), ("", nil), ("soon", nil),
    ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
    ("Sun Nov  6 08:49:47 1994", 10), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Sun, 06 Nov 1994 25:49:47 GMT", nil), ("Sun, 06 Nov 1994 08:49:47 CET", nil),
    ("Sun, 06 Nov 99999999999999999999 08:49:47 GMT", nil),
  ])
  func `A wait is read in every form`(text: String, seconds: Double?) {
    let now = Date(timeIntervalSince1970: 784_111_777)
    let head = HTTPHead(status: 429, fields: [HTTPField("Retry-After", text)])
    #expect(RetryAfter.seconds(head, now: now) == seconds)
  }

  @Test func `Milliseconds come before seconds, unless they make no sense`() {
    func wait(_ milliseconds: String) -> Double? {
      RetryAfter.seconds(
        HTTPHead(
          status: 429,
          fields: [HTTPField("Retry-After-Ms", milliseconds), HTTPField("Retry-After", "9")]))
    }
    #expect(wait("1500.5") == 1.5005)
    #expect(wait("-5") == 9)
    #expect(wait("x") == 9)
  }

  @Test func `The days of four centuries are counted`() {
    #expect(HTTPDate.secondsSince1970("Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
    #expect(HTTPDate.secondsSince1970("Fri, 31 Dec 1999 23:59:60 GMT") == 946_684_800)
    #expect(HTTPDate.secondsSince1970("Thu, 01 Mar 2100 00:00:00 GMT") == 4_107_542_400)
  }
}
