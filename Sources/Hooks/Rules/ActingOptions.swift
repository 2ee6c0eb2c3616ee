import Core

/// The options by which a program writes files, runs other programs, or changes its folder.
///
/// The names are those of many programs. A harmless option of such a name needs a person, too.
enum ActingOptions {
  /// Returns the length of the name of such an option, with the dashes.
  ///
  /// - Parameters:
  ///   - word: An argument, without its quotes.
  ///   - program: The program.
  /// - Returns: nil if the word is no such option.
  static func length(in word: [Unicode.Scalar], of program: String) -> Int? {
    guard word.count > 1, word[0] == "-", !harmless.contains(program) else { return nil }
    let name = word.prefix { $0 != "=" }
    guard word[1] != "-" else {
      return name.count > 2 && isActing(long: name.dropFirst(2)) ? name.count : nil
    }
    if parts(of: name.dropFirst()).contains(where: words.contains) { return name.count }
    // The letter may follow others, and its value may follow it.
    let program = program.split(separator: "/").last.map(String.init) ?? ""
    let acting = (letters + (more[program] ?? "")).unicodeScalars
    return word.lastIndex(where: acting.contains).map { $0 + 1 }
  }

  private static func isActing(long name: ArraySlice<Unicode.Scalar>) -> Bool {
    let parts = parts(of: name)
    guard let last = parts.last, parts[0] != "no" else { return false }
    // Many programs accept the start of a name.
    return parts.dropLast().contains(where: words.contains)
      || words.contains { $0.hasPrefix(last) }
      || names.contains { $0.hasPrefix(parts.joined(separator: "-")) }
  }

  /// Returns the parts of an option's name in lower case: of `--outputFile` and `--output-file`,
  /// these are `output` and `file`.
  private static func parts(of name: ArraySlice<Unicode.Scalar>) -> [String] {
    var parts = [""]
    var wasUpper = true
    for scalar in name {
      let isUpper = scalar.properties.isUppercase
      if "-_.:".unicodeScalars.contains(scalar) {
        parts.append("")
      } else {
        if isUpper, !wasUpper { parts.append("") }
        parts[parts.count - 1] += scalar.properties.lowercaseMapping
      }
      wasUpper = isUpper
    }
    return parts
  }

  /// The words of long options that act.
  private static let words: Set = [
    "action", "chdir", "cmd", "command", "commands", "conf", "config", "cwd", "delete", "directory",
    "dump", "editor", "eval", "evaluate", "exec", "execdir", "execute", "export", "extcmd", "fix",
    "fls", "fprint", "fprint0", "fprintf", "hook", "hooks", "import", "init", "inplace",
    "interpreter", "junitxml", "loader", "namespace", "ok", "okdir", "out", "outdir", "outfile",
    "output", "pager", "plugin", "plugins", "preload", "program", "rcfile", "receive", "require",
    "rsh", "save", "script", "shell", "template", "textconv", "toolexec", "upload", "wrapper",
    "write",
  ]
  /// Long options that act, although not each of their parts does.
  private static let names: Set = [
    "compress-program", "ext-diff", "git-dir", "hostname-bin", "in-place", "info-script",
    "new-volume-script", "open-files-in-pager", "receive-pack", "remote-name", "rsync-path",
    "upload-pack", "use-compress-program", "work-tree",
  ]
  /// The letters of short options that act: `-c`, `-C`, `-o` and `-O`.
  private static let letters = "cCoO"
  /// Further letters, by the program.
  private static let more = [
    "awk": "fil", "curl": "DKT", "env": "S", "fd": "xX", "gawk": "fil", "gdb": "x",
    "git": "ux", "make": "f", "man": "HP", "mysql": "e", "node": "epr", "perl": "eEi", "psql": "fL",
    "python": "m", "python3": "m", "rsync": "e", "ruby": "eir", "scp": "FS", "sed": "fi",
    "sftp": "bFS", "ssh": "F", "tar": "FITx", "tcpdump": "wz", "wget": "eP", "zip": "T",
  ]
  /// The programs whose options neither write nor run anything.
  private static let harmless: Set = [
    "basename", "cat", "cut", "df", "diff", "dirname", "du", "echo", "egrep", "fgrep", "grep",
    "head", "ls", "nl", "ps", "pwd", "readlink", "realpath", "stat", "tail", "tr", "wc", "which",
  ]
}
