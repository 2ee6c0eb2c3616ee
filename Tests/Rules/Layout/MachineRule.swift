/// Nothing that is committed knows the machine it was written on.
struct MachineRule {
  /// Put together here, so that this file does not break its own rule.
  static let places = ["/" + "work/", "/opt" + "/swift"]
  /// Looks for a toolchain in the usual places.
  static let exception = "scripts/lib/toolchain"

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.path != exception else { return [] }
    return file.lines.enumerated().flatMap { index, line in
      places.filter { isPath($0, in: line) }.map {
        Violation(path: file.path, line: index + 1, reason: "names the machine's '\($0)'")
      }
    }
  }

  /// Whether the text starts an absolute path; in `https://example.org/a/` or `<scratch>/a/` none
  /// starts.
  private static func isPath(_ place: String, in line: Substring) -> Bool {
    line.ranges(of: place).contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !(before.isLetter || before.isNumber || "._-~}>/)".contains(before))
    }
  }
}
