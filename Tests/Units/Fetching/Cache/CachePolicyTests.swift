import HTTP
import Testing

@testable import Fetching

struct CachePolicyTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let date = 784_111_777.0
  private static let day = "Sun, 06 Nov 1994"

  private func head(_ fields: [String], status: Int = 200) -> HTTPHead {
    HTTPHead(status: status, fields: fields.compactMap { HeaderFile.field($0) })
  }

  @Test(
    "how long an answer is fresh, from when it came",
    arguments: [
      (["Cache-Control: max-age=60"], 60), (["Cache-Control: max-age=60", "Age: 20"], 40),
      (["Cache-Control: max-age=60", "Date: \(day) 08:49:07 GMT"], 30),
      (["Cache-Control: max-age=60", "Date: \(day) 08:49:07 GMT", "Age: 50"], 10),
      (["Cache-Control: max-age=60", "Date: \(day) 09:49:07 GMT"], 60),
      (["Expires: \(day) 08:50:37 GMT", "Date: \(day) 08:49:37 GMT"], 60),
      (["Expires: \(day) 08:50:37 GMT"], 60),
      (["Expires: \(day) 08:50:37 GMT", "Cache-Control: max-age=5"], 5),
      (["Expires: \(day) 08:50:37 GMT", "Cache-Control: s-maxage=5"], 60),
      (["Cache-Control: max-age=1, max-age=60"], 1),
      (["Cache-Control: private=\"a, max-age=9\", max-age=60"], 60),
    ] as [([String], Double)])
  func fresh(_ fields: [String], _ seconds: Double) {
    let until = CachePolicy.freshUntil(head(fields), now: Self.date)
    #expect(until == Self.date + seconds)
  }

  @Test(
    "or not at all",
    arguments: [
      [], ["Cache-Control: no-cache, max-age=60"], ["Cache-Control: max-age=sixty"],
      ["Expires: 0"], ["Expires: -1", "Cache-Control: public"], ["Cache-Control: max-age="],
      ["Cache-Control: no-cache=\"set-cookie\", max-age=60"],
      ["Last-Modified: \(day) 08:00:00 GMT"],
    ])
  func stale(_ fields: [String]) {
    #expect(CachePolicy.freshUntil(head(fields), now: Self.date) <= Self.date)
  }

  @Test func `a number without end is a long time`() {
    let fields = ["Cache-Control: max-age=99999999999999999999999999"]
    let until = CachePolicy.freshUntil(head(fields), now: Self.date)
    #expect(until.isFinite && until > Self.date + 1e8)
  }

  @Test func `what may be kept`() {
    func mayStore(_ fields: [String], status: Int = 200, asked: [HTTPField] = []) -> Bool {
      CachePolicy.mayStore(asked, head(fields, status: status), secrets: false)
    }
    #expect(mayStore([]) && mayStore(["Cache-Control: private"]))
    for status in [301, 302, 307, 308] { #expect(mayStore([], status: status)) }
    for status in [201, 206, 303, 304, 404, 500] { #expect(!mayStore([], status: status)) }
    #expect(!mayStore(["Cache-Control: No-Store"]) && !mayStore(["Vary: a, *"]))
    #expect(!mayStore([], asked: [HTTPField("Cache-Control", "no-store")]))
    #expect(!mayStore([], asked: [HTTPField("Range", "bytes=0-1")]))
    #expect(!CachePolicy.mayStore([], head([]), secrets: true))
    #expect(mayStore(["Location: https://h/@me"], status: 301))
    #expect(!mayStore(["Location: https://me:pw@h/"], status: 301))
  }

  @Test func `the variant holds the fields that matter, in one order`() {
    let request = [HTTPField("B", "2"), HTTPField("a", "1"), HTTPField("A", "x")]
    let variant = CachePolicy.variant(request, head(["Vary: B", "vary: c, A"]))
    #expect(variant == "a: 1, x\nb: 2\nc: ")
    #expect(CachePolicy.variant(request, like: variant ?? "") == variant)
    #expect(CachePolicy.variant([], like: variant ?? "") != variant)
    #expect(CachePolicy.variant(request, like: "") == "")
  }

  @Test func `a confirmed head has the new fields, but the old body's form`() {
    let old = head(["ETag: 1", "Content-Encoding: gzip", "Content-Type: text/html", "X: old"])
    let new = head(["ETag: 2", "Content-Length: 0", "X: new"], status: 304)
    let confirmed = CachePolicy.confirmed(old, by: new)
    #expect(confirmed.status == 200)
    #expect(confirmed.value("etag") == "2" && confirmed.values("x") == ["new"])
    #expect(confirmed.value("content-type") == "text/html")
    #expect(confirmed.value("content-length") == nil)
  }
}
