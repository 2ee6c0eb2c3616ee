import Foundation
import TestSupport
import Testing

struct CompletionTests {
  private static let hint = "run 'swift build && scripts/generate-completions'"

  @Test func `every tool has completions for three shells`() throws {
    let wanted = Repository.tools.flatMap { ["\($0).bash", "_\($0)", "\($0).fish"] }
    #expect(try Repository.names(in: "completions") == wanted.sorted(), "\(Self.hint)")
  }

  @Test func `completions are what the tools generate, mended`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "completions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = Checkout.root.appending(path: "scripts/generate-completions")
    process.arguments = [Checkout.tools, folder.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for name in try Repository.names(in: "completions") {
      let generated = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(try Repository.text("completions/" + name) == generated, "\(name): \(Self.hint)")
    }
  }
}
