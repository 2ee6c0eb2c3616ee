import Foundation

/// Where the tests find what they run and compare with.
enum Places {
  /// The folder `Tests`.
  static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder of the built tools: that of the test bundle, unless the environment names another.
  static let tools: String = {
    var folders = [environment["AGENTPIPES_BIN"]].compactMap(\.self)
    folders += [Bundle.main.executableURL?.deletingLastPathComponent().path].compactMap(\.self)
    folders.append((tests as NSString).deletingLastPathComponent + "/.build/debug")
    return folders.first { access($0 + "/stage-run", X_OK) == 0 } ?? "/nonexistent"
  }()

  static let environment = ProcessInfo.processInfo.environment

  /// Where records of all runs are collected for other checks, if anywhere.
  static let records = environment["AGENTPIPES_TEST_RECORDS"]

  /// A Python that has the packages of `scripts/needs/requirements.txt`, if any.
  static let python = environment["AGENTPIPES_PYTHON"]

  /// Whether expected outputs are written anew instead of compared with.
  static let isRecording = environment["AGENTPIPES_RECORD"] != nil
}
