import Core
import Foundation
import TestSupport
import Testing

@testable import HubQuestions

/// The last answers of hubs, in files that anything may have happened to.
struct KeptAnswersTests {
  private let home: Home

  init() throws { home = try Home() }

  private func answers(of hub: String = "http://a") -> KeptAnswers {
    KeptAnswers(hub, home.directories)
  }

  private func files() throws -> [String] {
    let folder = home.directories.state + "/hubs/answers"
    return try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
  }

  @Test func `a kept answer is read back, by its hub and its question`() throws {
    let body = Array("{\n}\n\u{0}".utf8)
    answers().store(body, as: "/v1/overview?a=%20")
    let answer = try #require(answers().read("/v1/overview?a=%20"))
    #expect(answer.body == body && abs(answer.at.seconds(since: .now)) < 3600)
    #expect(answers().read("/v1/overview") == nil)
    #expect(answers(of: "http://b").read("/v1/overview?a=%20") == nil)
    let files = try files()
    #expect(files.count == 1)
    #expect(try home.mode(try #require(files.first)) == 0o600)
  }

  @Test func `a later answer takes the place of the earlier one`() throws {
    answers().store([1], as: "/")
    answers().store([2], as: "/")
    #expect(answers().read("/")?.body == [2])
    answers().forget("/")
    #expect(answers().read("/") == nil)
    #expect(try files().isEmpty)
  }

  @Test func `an answer that is too large to keep leaves none`() {
    answers().store([1], as: "/")
    answers().store([UInt8](repeating: 0x20, count: 4 << 20 + 1), as: "/")
    #expect(answers().read("/") == nil)
  }

  @Test func `the oldest answers are removed first`() throws {
    answers().store([0], as: "/first")
    let first = try #require(try files().first)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: first)
    for number in 1...256 { answers().store([1], as: "/\(number)") }
    #expect(try files().count == 256)
    #expect(answers().read("/first") == nil)
    #expect(answers().read("/256")?.body == [1])
  }

  @Test func `a file of another form is no answer`() throws {
    var random = SeededRandom(seed: 5)
    answers().store([1], as: "/")
    let file = try #require(try files().first)
    let whole = try Data(contentsOf: URL(filePath: file))
    for _ in 0..<500 {
      var bytes = Array(whole)
      let place = Int.random(in: 0..<bytes.count - 2, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
      try Data(bytes).write(to: URL(filePath: file))
      // A changed digit of the instant is an answer of another moment.
      if let answer = answers().read("/") { #expect(answer.body.last == 1) }
      try Data(bytes.prefix(place)).write(to: URL(filePath: file))
      #expect(answers().read("/") == nil)
    }
    for instant in ["1e300", "-1e16", "\"now\"", "null"] {
      try Data("{\"hub\":\"http://a\",\"path\":\"/\",\"ts\":\(instant)}\n{}".utf8)
        .write(to: URL(filePath: file))
      #expect(answers().read("/") == nil)
    }
  }
}
