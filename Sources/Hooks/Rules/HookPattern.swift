import Core

/// A pattern of requests: `TOOL`, or `TOOL(ARGUMENT)`.
///
/// In both parts, `*` stands for any characters and `?` for one.
struct HookPattern: Sendable {
  /// The pattern's text.
  let text: String
  private let tool: Wildcards
  /// The pattern of the argument; nil if the pattern covers all arguments.
  private let argument: Wildcards?
  /// The characters of the argument.
  private let letters: [Unicode.Scalar]

  /// Creates a pattern from its text.
  ///
  /// - Throws: `BadConfiguration` if the text has no tool, or no bracket that matches another.
  init(_ text: String) throws(Failure) {
    self.text = text
    let shown = Visible.line(String(text.prefix(200)))
    guard let open = text.firstIndex(of: "(") else {
      guard !text.isEmpty, !text.contains(")") else {
        throw Self.fault(shown, "is no TOOL(ARGUMENT)")
      }
      (tool, argument, letters) = (Wildcards(text), nil, [])
      return
    }
    guard open > text.startIndex, text.hasSuffix(")") else {
      throw Self.fault(shown, "is no TOOL(ARGUMENT)")
    }
    let inner = String(text[text.index(after: open)...].dropLast())
    // Claude Code's own rules write a prefix and a host so; here, they would match nothing.
    guard !inner.hasSuffix(":*") else {
      throw Self.fault(shown, "ends in ':*'", nextStep: "write ' *'")
    }
    guard !inner.hasPrefix("domain:") else {
      throw Self.fault(shown, "begins with 'domain:'", nextStep: "write 'https://HOST/*'")
    }
    tool = Wildcards(String(text[..<open]))
    argument = inner == "*" ? nil : Wildcards(inner)
    letters = Array(inner.unicodeScalars)
  }

  private static func fault(_ shown: String, _ fault: String, nextStep: String? = nil) -> Failure {
    Failure(
      .badConfiguration, "the pattern '\(shown)' of 'hook' \(fault)", input: "hook",
      nextStep: nextStep)
  }

  /// Returns `true` if the pattern allows the given request.
  func allows(_ subject: RuleSubject) -> Bool {
    guard let texts = subject.allowed, tool.matches(subject.tool) else { return false }
    guard argument != nil else { return !subject.hasActingOption }
    return texts.contains { $0.isCovered(by: letters) }
  }

  /// Returns `true` if the pattern names the given tool.
  func concerns(_ name: String) -> Bool { tool.matches(name) }

  /// Returns `true` if the pattern matches the given request.
  func matches(_ subject: RuleSubject) -> Bool {
    guard tool.matches(subject.tool) else { return false }
    return argument.map { subject.watched.contains(where: $0.matches) } ?? true
  }

  // MARK: Files of commands

  /// The tools that read files.
  private static let readers = [
    "Read", "NotebookRead", "LS", "read_file", "list_directory", "read_many_files",
  ]
  /// The tools that write files.
  private static let writers = [
    "Edit", "Write", "MultiEdit", "NotebookEdit", "write_file", "replace",
  ]

  /// Returns `true` if the pattern keeps a file from being read that the given command names.
  func forbidsFile(of subject: RuleSubject) -> Bool {
    guard argument != nil, subject.isCommand, !subject.containsDocument,
      Self.readers.contains(where: tool.matches)
    else { return false }
    return subject.files.contains { $0.isClear && $0.mayBe(letters) }
  }

  /// Returns `true` if the request may be another form of what the pattern restricts.
  func mayConcern(_ subject: RuleSubject) -> Bool {
    guard let argument else { return false }
    if tool.matches(subject.tool), subject.hidden.contains(where: argument.matches) { return true }
    let tools = subject.onlyReads ? Self.readers : Self.readers + Self.writers
    guard tools.contains(where: tool.matches) else { return false }
    guard subject.isCommand else { return subject.files.contains { $0.mayBe(letters) } }
    let name = FileName(of: letters)
    return subject.files.contains { $0.mayBe(letters) || $0.mayContain(letters) }
      || name.map { subject.words.contains(where: $0.occurs) } ?? false
  }
}

/// The part of a pattern of paths by which a text may name the file, such as `.env` of `/w/*.env`.
private struct FileName {
  private let text: [Unicode.Scalar]
  private let isStart: Bool
  private let isEnd: Bool

  /// Creates the part of a pattern; nil if it is too short to be recognised.
  init?(of pattern: [Unicode.Scalar]) {
    func isWild(_ scalar: Unicode.Scalar) -> Bool { scalar == "*" || scalar == "?" }
    let names = pattern.split(separator: "/").filter { !$0.allSatisfy(isWild) }
    guard let name = names.last,
      let part = name.split(whereSeparator: isWild).max(by: { $0.count < $1.count })
    else { return nil }
    text = part.map(Self.folded)
    isStart = part.startIndex == name.startIndex
    isEnd = part.endIndex == name.endIndex
    guard text.count > 2 || isStart && isEnd, text.contains(where: Self.isOfName) else {
      return nil
    }
  }

  /// Returns `true` if the given text contains the name, with letters of either case.
  func occurs(in word: [Unicode.Scalar]) -> Bool {
    guard word.count >= text.count else { return false }
    let word = word.map(Self.folded)
    return (0...(word.count - text.count)).contains { start in
      let end = start + text.count
      guard word[start..<end].elementsEqual(text) else { return false }
      if isEnd, end < word.count, word[end] == "." || Self.isOfName(word[end]) { return false }
      // A short name is too often the end of another.
      return text.count > 3 || !isStart || start == 0 || !Self.isOfName(word[start - 1])
    }
  }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-"
  }
}
