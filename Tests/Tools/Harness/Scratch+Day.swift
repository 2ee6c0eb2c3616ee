import Foundation
import Synchronization
import TestSupport

extension Scratch {
  /// Sets the clock of the commands that follow to noon of a day, by a library in LD_PRELOAD.
  ///
  /// Tests of retirements and of the age of prices set the day, so that the calendar never makes
  /// them fail.
  func setDay(_ day: String) async throws {
    guard let noon = ISO8601DateFormatter().date(from: day + "T12:00:00Z") else {
      throw TooLate(description: "no day: \(day)")
    }
    set("LD_PRELOAD", try await DayLibrary.shared.path())
    set("TEST_CLOCK_OFFSET", "\(Int(noon.timeIntervalSinceNow))")
  }

  /// The day on which the tests were written.
  static let day = "2026-11-23"
}

/// The library that shifts a program's clock, compiled once.
private actor DayLibrary {
  static let shared = DayLibrary()
  private var compiled: Task<String, any Error>?

  func path() async throws -> String {
    if let compiled { return try await compiled.value }
    let task = Task { try await Self.compile() }
    compiled = task
    return try await task.value
  }

  private static func compile() async throws -> String {
    let library = NSTemporaryDirectory() + "/agentpipes-day-\(UUID().uuidString).so"
    let child = try Child(
      [
        "/usr/bin/env", "clang", "-shared", "-fPIC", "-O1", "-o", library,
        "\(Places.tests)/Support/Clock/day.c", "-ldl",
      ], environment: Places.environment, folder: Places.tests, streams: [:])
    guard await child.ended() == .exit(0) else {
      throw Scratch.TooLate(description: "the clock's library cannot be compiled")
    }
    return library
  }
}
