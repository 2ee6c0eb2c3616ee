import Foundation

/// The checkout that these tests were built from.
struct Repository {
  let root: URL

  /// Found by this file's own place.
  init(file: String = #filePath) {
    root = URL(filePath: file).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// The text files below a folder, or the file itself; what is no UTF-8 is left out.
  func files(_ path: String, ending: String = "") throws -> [SourceFile] {
    let start = root.appending(path: path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: start.path, isDirectory: &isFolder) else {
      return []
    }
    let paths =
      isFolder.boolValue
      ? try FileManager.default.subpathsOfDirectory(atPath: start.path).map { "\(path)/\($0)" }
      : [path]
    return paths.sorted().filter { $0.hasSuffix(ending) && !$0.contains("/__pycache__/") }
      .compactMap { path in
        guard let data = FileManager.default.contents(atPath: root.appending(path: path).path),
          let text = String(data: data, encoding: .utf8)
        else { return nil }
        return SourceFile(path: path, text: text)
      }
  }

  /// Every Swift file below `Sources`.
  func sources() throws -> [SourceFile] {
    try files("Sources", ending: ".swift")
  }

  /// Everything that is committed, but for long test data.
  func everything() throws -> [SourceFile] {
    let places = [
      "Package.swift", "README.md", "CHANGELOG.md", ".ci", "Sources", "Tests", "man",
      "completions", "scripts", "docs",
    ]
    return try places.flatMap { try files($0) }
  }

  /// Whether there is such a file.
  func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// What `Package.swift` says.
  func package() throws -> PackageTable {
    PackageTable(try files("Package.swift").first ?? SourceFile(path: "Package.swift", text: ""))
  }

  /// The names of the tools: the targets with an entry point.
  func tools() throws -> [String] {
    let targets = try sources().filter { $0.code.contains { $0.text.hasPrefix("@main") } }
      .compactMap(\.target)
    return Set(targets).sorted()
  }
}
