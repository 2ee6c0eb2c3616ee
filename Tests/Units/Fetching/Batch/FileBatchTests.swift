import Core
import Foundation
import TestSupport
import Testing

@testable import Fetching

struct FileBatchTests {
  private actor Names {
    private var left: ArraySlice<String>

    init(_ names: [String]) { left = names[...] }

    func next() -> String? { left.popFirst() }
  }

  private let reader = PageReader(FetchOptions(userAgent: "test"))

  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pages \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  @Test func `many files come in their order, with what is wrong in its place`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths: [String] = []
    for index in 0..<100 {
      let path = folder.appendingPathComponent("\(index).html").path
      if index != 50 { try Data("<p>page \(index)".utf8).write(to: URL(fileURLWithPath: path)) }
      paths.append(path)
    }
    let names = Names(paths)
    var texts: [String] = []
    try await reader.readAll { () async throws(Failure) in
      await names.next()
    } deliver: { (result) throws(Failure) in
      switch result {
      case .success(let page): texts.append(page.text ?? "")
      case .failure(let failure): texts.append(failure.code.rawValue)
      }
    }
    #expect(texts == (0..<100).map { $0 == 50 ? "NotFound" : "page \($0)" })
  }

  @Test func `what delivery throws ends the reading`() async throws {
    let names = Names(Array(repeating: "/dev/null", count: 1000))
    let failure = await #expect(throws: Failure.self) {
      try await reader.readAll { () async throws(Failure) in
        await names.next()
      } deliver: { (_) throws(Failure) in
        throw Failure(.storageFailed, "full")
      }
    }
    #expect(failure?.code == .storageFailed)
    #expect(await names.next() != nil)
  }

  @Test func `a file that is too large is cut and says so`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a.txt")
    try Data(String(repeating: "x", count: 300_000).utf8).write(to: file)
    var options = FetchOptions(userAgent: "test")
    options.maximumDecodedBytes = 200_000
    let page = try await PageReader(options).read(path: file.path)
    #expect(page.bytes == 200_000)
    #expect(page.partial == true)
    #expect(page.error?.kind == "tooLarge")
  }
}
