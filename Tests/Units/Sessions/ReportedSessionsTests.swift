import Core
import Foundation
import Sessions
import TestSupport
import Testing

/// The times in which sessions are reported by another tool.
struct ReportedSessionsTests {
  private let home: Home
  private let files: ReportedSessions
  private let key = SessionKey(.claude, "s")

  init() throws {
    home = try Home()
    files = ReportedSessions(home.directories)
  }

  private func span(_ from: Int64, _ to: Int64) -> ReportedSessions.Span {
    ReportedSessions.Span(
      from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to))
  }

  @Test func `a run moves its end on, and each run has its time`() {
    #expect(files.spans(of: key).isEmpty)
    for to in [20, 30, 25] as [Int64] { files.store(span(10, to), of: key) }
    files.store(span(40, 50), of: key)
    #expect(files.spans(of: key) == [span(10, 25), span(40, 50)])
    #expect(files.spans(of: SessionKey(.gemini, "s")).isEmpty)
    let covered = [9, 10, 25, 26].map { span(10, 25).contains(Timestamp(milliseconds: $0)) }
    #expect(covered == [false, true, true, false])
  }

  @Test func `a broken line is skipped, and old runs are forgotten`() throws {
    files.store(span(1, 2), of: key)
    let folder = home.directories.state + "/reported"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    try "x y\n1\n3 4\n5 6 7\n".write(
      toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    #expect(files.spans(of: key) == [span(3, 4)])
    for from in 1...200 as ClosedRange<Int64> {
      files.store(span(from * 10, from * 10 + 1), of: key)
    }
    #expect(files.spans(of: key).count == 100 && files.spans(of: key).last == span(2000, 2001))
  }
}
