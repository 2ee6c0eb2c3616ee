/// The handles of C libraries stay with their owners: few files know a C module, and no pointer of
/// its leaves them.
struct HandleRule {
  /// How many files of its wrapper may import a C module.
  static let mostFiles = 3

  let modules: Set<String>

  func violations(among files: [SourceFile]) -> [Violation] {
    let importing = files.map { file in (file, modules.intersection(imports(of: file))) }
    let crowded = modules.sorted().compactMap { module -> Violation? in
      let count = importing.count { $0.1.contains(module) }
      guard count > Self.mostFiles else { return nil }
      return Violation(
        path: "Sources/\(module)",
        reason: "is imported by \(count) files, \(Self.mostFiles) are allowed")
    }
    let leaks = importing.filter(\.1.isEmpty).flatMap { file, _ in
      file.code.filter { $0.text.holds(phrase: "OpaquePointer") }.map {
        Violation(
          path: file.path, line: $0.number,
          reason: "an 'OpaquePointer' stays where its C module is imported")
      }
    }
    return crowded + leaks
  }

  private func imports(of file: SourceFile) -> [String] {
    file.code.compactMap { line in
      let words = line.text.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), index + 1 < words.count else { return nil }
      return String(words[index + 1])
    }
  }
}
