/// One file writes stdout, and one stderr: whatever else writes there tears a stream of records.
struct OutputRule {
  /// What writes stdout, and the file that may.
  static let output = (
    phrases: ["STDOUT_FILENO", "stdout", "write(1,", ".standardOutput"],
    owner: "Sources/Core/Files/RecordWriter.swift"
  )
  /// What writes stderr, and the file that may.
  static let errors = (
    phrases: ["STDERR_FILENO", "stderr", "write(2,", ".standardError"],
    owner: "Sources/Core/Files/Diagnostics.swift"
  )
  /// What writes either, by a way that no file needs.
  static let neither = ["puts(", "putchar(", "perror(", "vprintf(", "NSLog(", "os_log("]

  static func violations(in file: SourceFile) -> [Violation] {
    let rules = [output, errors, (neither, "")]
    return file.code.flatMap { line in
      let text = withoutStrings(line.text)
      return rules.filter { $0.1 != file.path }.flatMap { phrases, owner in
        phrases.filter { text.holds(phrase: $0) }.prefix(1).map {
          let place = owner.isEmpty ? "the two writers" : "'\(owner)'"
          return Violation(
            path: file.path, line: line.number, reason: "'\($0)' is for \(place) alone")
        }
      }
    }
  }

  /// A help text may well tell of stdout.
  private static func withoutStrings(_ line: String) -> String {
    var result = ""
    var isInString = false
    var previous: Character = " "
    for character in line {
      if character == "\"", previous != "\\" {
        isInString.toggle()
      } else if !isInString {
        result.append(character)
      }
      previous = previous == "\\" && character == "\\" ? " " : character
    }
    return result
  }
}
