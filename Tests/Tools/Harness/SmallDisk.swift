import Foundation
import Testing

/// A file system of 1.25 MiB, in the folder that AGENTPIPES_SMALL_DISK names; one test at a time uses
/// it.
enum SmallDisk {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_SMALL_DISK"]
  static let isThere: ConditionTrait = .enabled(
    if: folder != nil, "AGENTPIPES_SMALL_DISK names no folder")

  private static let turn = Permits(1)

  /// Runs a test whose tools have a fresh folder of the disk as their home.
  static func with(_ body: (Scratch, _ home: String) async throws -> Void) async throws {
    let home = "\(try #require(folder))/\(UUID().uuidString)"
    await turn.take()
    do {
      try await Scratch.with { scratch in
        defer { try? FileManager.default.removeItem(atPath: home) }
        scratch.set("AGENTPIPES_HOME", home)
        try await body(scratch, home)
      }
    } catch {
      await turn.give()
      throw error
    }
    await turn.give()
  }
}
