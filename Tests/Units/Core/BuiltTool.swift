import Foundation

/// A built executable of this package, beside the test bundle.
func tool(_ name: String) -> String {
  let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
  let folders = [bundle, Bundle.main.executablePath, CommandLine.arguments.first]
    .compactMap { $0.map { ($0 as NSString).deletingLastPathComponent } }
  return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 } ?? name
}
