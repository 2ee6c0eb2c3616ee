/// A command line of a shell, as far as rules must understand it.
///
/// It is not a parser: a line is simple only if every shell reads it in the same way.
struct ShellCommand {
  private let line: String
  /// The longest line that is examined, in bytes.
  static let longest = 1 << 16

  /// Creates a command from its line.
  init(_ line: String) { self.line = line }

  /// The line without white space around it.
  var text: String { Self.trimmed(line) }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    let start = text.drop { blanks.contains($0) }
    guard let last = start.lastIndex(where: { !blanks.contains($0) }) else { return "" }
    return String(start[...last])
  }

  // MARK: Simple commands

  /// The characters that have no meaning to any shell but in quotes: those that separate commands,
  /// redirect, expand variables or braces, start a substitution, or escape.
  private static let special = Set(";&|<>()${}`\\!\n\r".unicodeScalars)

  /// Returns `true` if the line is one simple command: one program with its arguments.
  ///
  /// Lists, pipes, redirections, substitutions, variables, braces, escapes, comments and assignments
  /// are not simple. Quotes are simple if `quotes` states that the shell reads them as POSIX does.
  func isSimple(quotes: Bool) -> Bool {
    guard line.utf8.count <= Self.longest, !text.isEmpty,
      !text.unicodeScalars.contains(where: Self.isHidden)
    else { return false }
    var quote: Unicode.Scalar?
    var isAtWord = true
    var firstWord: [Unicode.Scalar]? = []
    for scalar in text.unicodeScalars {
      if let open = quote {
        if scalar == open {
          quote = nil
        } else if open == "\"", "$`\\!".unicodeScalars.contains(scalar) {
          return false
        }
        continue
      }
      guard !Self.special.contains(scalar), !(scalar == "#" && isAtWord) else { return false }
      isAtWord = scalar == " " || scalar == "\t"
      if isAtWord {
        guard Self.isProgram(firstWord) else { return false }
        firstWord = nil
      }
      firstWord?.append(scalar)
      guard scalar == "'" || scalar == "\"" else { continue }
      guard quotes else { return false }
      quote = scalar
    }
    return quote == nil && Self.isProgram(firstWord)
  }

  /// `true` if the line contains a character, outside of quotes, that stands for names of files.
  var hasGlob: Bool {
    var quote: Unicode.Scalar?
    // A mark that follows a character does not change what a shell reads.
    for character in line.unicodeScalars {
      if character == quote {
        quote = nil
      } else if quote == nil {
        if character == "'" || character == "\"" { quote = character }
        if character == "*" || character == "?" || character == "[" { return true }
      }
    }
    return false
  }

  /// The words that begin a compound command.
  private static let keywords: Set = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "select", "function", "time", "coproc", "[[", "repeat", "foreach", "begin", "end", "and", "or",
    "not", "noglob", "nocorrect",
  ]

  /// Returns `true` if the given first word names a program: it is no assignment, no keyword and no
  /// expansion.
  private static func isProgram(_ word: [Unicode.Scalar]?) -> Bool {
    guard let word else { return true }
    let text = String(String.UnicodeScalarView(word))
    return !keywords.contains(text) && !word.contains { "='\"*?[~".unicodeScalars.contains($0) }
  }

  /// Returns `true` if a person cannot see the given character, or takes it for a space.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar != "\t"
    case .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    case .spaceSeparator: scalar != " "
    default: false
    }
  }

  // MARK: Parts

  /// The commands that the line may run, in the forms in which a rule may name them.
  ///
  /// It is an estimate: a shell can hide a command in many ways. So it serves only rules that
  /// restrict.
  var parts: [String] {
    let start = String(decoding: line.utf8.prefix(Self.longest), as: UTF8.self)
    let separators = Set(";&|()`{}\n\r".unicodeScalars)
    let pieces = start.unicodeScalars.split(whereSeparator: separators.contains)
    return [text]
      + pieces.flatMap { Self.forms(of: String(String.UnicodeScalarView($0))) }
      .filter { !$0.isEmpty }
  }

  /// The commands that the line may run if options before a command have values, or none: of
  /// `git -p push`, this is `git push`.
  var hiddenParts: [String] {
    parts.flatMap { part -> [String] in
      let words = part.split { $0 == " " || $0 == "\t" }
      guard words.count > 2, words[1].hasPrefix("-") else { return [] }
      return (2..<min(words.count, 16)).map { place in
        ([words[0]] + words[place...]).joined(separator: " ")
      }
    }
  }

  /// The programs that run the command in their arguments.
  private static let runners: Set = [
    "sudo", "doas", "env", "command", "builtin", "exec", "nohup", "nice", "time", "eval", "xargs",
    "setsid", "stdbuf", "timeout", "then", "do", "else", "!", "if", "while", "until", "busybox",
  ]
  private static let shells: Set = ["sh", "bash", "zsh", "dash", "ksh", "fish"]

  /// Returns the given command without quotes and assignments, also by the name of its program
  /// alone, and without the program that runs it.
  private static func forms(of piece: String) -> [String] {
    let plain = String(
      String.UnicodeScalarView(piece.unicodeScalars.filter { !"'\"\\".unicodeScalars.contains($0) })
    )
    var words = plain.split { $0 == " " || $0 == "\t" }.map(String.init)
    var forms = [trimmed(piece)]
    while !words.isEmpty {
      if words[0].contains("="), !words[0].hasPrefix("=") {
        words.removeFirst()
        continue
      }
      forms.append(words.joined(separator: " "))
      words[0] = String(words[0].split(separator: "/").last ?? "")
      forms.append(words.joined(separator: " "))
      let isShell = shells.contains(words[0]) && words.count > 1 && words[1].hasPrefix("-")
      guard runners.contains(words[0]) || isShell else { break }
      words.removeFirst()
      while words.first?.hasPrefix("-") == true { words.removeFirst() }
      // The duration of timeout(1) and the priority of nice(1) precede their commands.
      while words.first?.first?.isNumber == true { words.removeFirst() }
    }
    return forms
  }
}
