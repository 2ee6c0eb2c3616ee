public import Foundation

/// The checkout that the tests were built from, and the tools that were built with them.
public enum Checkout {
  /// The folder of `Package.swift`.
  public static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the built tools: the value of `AGENTPIPES_BIN`, else the folder of the test
  /// program, else the default.
  ///
  /// On macOS the test bundle, which is an argument of the program, lies beside them.
  public static let tools: String = {
    let named = ProcessInfo.processInfo.environment["AGENTPIPES_BIN"]
    let programs = [Bundle.main.executablePath].compactMap(\.self) + CommandLine.arguments
    let beside = programs.map { ($0 as NSString).deletingLastPathComponent }
    let folders = [named].compactMap(\.self) + beside + [root.path + "/.build/debug"]
    return folders.first { access($0 + "/stage-run", X_OK) == 0 } ?? "/nonexistent"
  }()
}
