import CodingAgents
import Core
import Foundation
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

  private var folder: String { home.directories.state + "/reported" }

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

  @Test func `a run of another process keeps its time, and an unfinished file is none`() throws {
    files.store(span(10, 20), of: key)
    let path = try #require(FileManager.default.subpaths(atPath: folder)?.max())
    let other = "\(folder)/\((path as NSString).deletingLastPathComponent)/10-1"
    try "10 15\n".write(toFile: other, atomically: true, encoding: .utf8)
    try "10 1".write(toFile: other + ".new", atomically: true, encoding: .utf8)
    files.store(span(10, 30), of: key)
    #expect(files.spans(of: key).sorted { $0.to < $1.to } == [span(10, 15), span(10, 30)])
  }

  @Test(arguments: ["x y\n", "1\n", "5 6 7\n", ""])
  func `a broken file is skipped`(_ text: String) throws {
    for from in [1, 3] as [Int64] { files.store(span(from, from + 1), of: key) }
    let path = try #require(FileManager.default.subpaths(atPath: folder)?.max())
    try text.write(toFile: "\(folder)/\(path)", atomically: true, encoding: .utf8)
    #expect(files.spans(of: key) == [span(1, 2)])
  }

  @Test func `old runs are forgotten`() {
    for from in 1...200 as ClosedRange<Int64> {
      files.store(span(from * 10, from * 10 + 1), of: key)
    }
    #expect(files.spans(of: key).count == 100 && files.spans(of: key).last == span(2000, 2001))
  }
}
