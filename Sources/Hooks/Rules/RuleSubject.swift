import Core
import Foundation

/// The texts of a request with which rules compare their patterns.
struct RuleSubject {
  /// The tool's name.
  let tool: String
  /// The forms of the argument that an `allow` rule may match; nil if no such rule applies.
  private(set) var allowed: [RuleText]?
  /// `true` if the command has an option that only a rule with this option allows.
  private(set) var hasActingOption = false
  /// The forms of the argument that other rules may match.
  private(set) var watched: [String] = []
  /// The commands that the request may run if its options are read in another way.
  private(set) var hidden: [String] = []
  /// The files that the request may name.
  private(set) var files: [FileWord] = []
  /// The words of the commands.
  private(set) var words: [[Unicode.Scalar]] = []
  /// `true` if the request runs commands.
  private(set) var isCommand = false
  /// `true` if the words of the commands include those of a document.
  private(set) var containsDocument = false
  /// `true` if the tool writes no files.
  private(set) var onlyReads = false
  /// `true` if the shell replaces a part of the command line by names of files.
  private(set) var hasGlob = false

  /// The tools that run a command line in a POSIX shell.
  private static let shells: Set = [
    "Bash", "run_shell_command", "shell", "local_shell", "exec_command",
  ]
  /// The tools whose subject is one file or folder.
  private static let fileTools: Set = [
    "Read", "Edit", "Write", "MultiEdit", "NotebookRead", "NotebookEdit", "LS", "read_file",
    "write_file", "replace", "list_directory",
  ]
  /// Further tools that write no files.
  private static let readers: Set = [
    "Grep", "Glob", "grep_search", "search_file_content", "glob", "read_many_files",
  ]
  /// The tools whose subject is a text: its member.
  private static let texts = [
    "WebFetch": "url", "WebSearch": "query", "google_web_search": "query", "web_fetch": "prompt",
  ]

  /// Creates the subject of the given request.
  init(_ request: HookRequest) {
    tool = request.tool
    let members = CallMembers(request)
    if !members.commands.isEmpty || Self.shells.contains(tool) { readCommands(members) }
    let isShell = Self.shells.contains(tool) && members.command != nil
    if isShell {
      readShell(members)
    } else if Self.fileTools.contains(tool), !members.paths.isEmpty {
      readPaths(members)
    } else if let name = Self.texts[tool], case .string(let text)? = request.input[name] {
      readText(text, name, members)
    } else {
      readArguments(members)
    }
  }

  // MARK: Commands

  private mutating func readCommands(_ members: CallMembers) {
    isCommand = true
    files = members.filePaths.map { FileWord($0, in: members.folders) }
    for value in members.commands {
      for (index, line) in CallMembers.strings(value).enumerated() {
        let command = ShellCommand(line)
        watched += command.parts
        hidden += command.hiddenParts
        containsDocument = containsDocument || line.contains("<<")
        let words = command.words
        hasActingOption = hasActingOption || !command.actingOptions(words).isEmpty
        let texts = words.dropFirst(index == 0 ? 1 : 0).map(\.text)
        self.words += (texts + texts.compactMap(\.removingPercentEncoding))
          .map { Array($0.unicodeScalars) }
        files += ShellCommand.paths(of: words, isStart: index == 0)
          .map { FileWord($0, in: members.folders) }
      }
    }
  }

  private mutating func readShell(_ members: CallMembers) {
    guard let line = members.command else { return }
    let command = ShellCommand(line)
    hasGlob = command.hasGlob
    guard members.commands.count == 1, members.isPlainCommand, command.isSimple(quotes: true) else {
      return
    }
    let words = command.words
    var text = RuleText(command.text)
    for places in command.actingOptions(words) + words.flatMap(\.parents) { text.bind(places) }
    allowed = [text]
  }

  // MARK: Other tools

  private mutating func readPaths(_ members: CallMembers) {
    watched += members.paths.flatMap { FilePath.forms($0, in: members.folders) }
    guard members.commands.isEmpty else { return }
    allowed = []
    guard let path = members.onlyPath else { return }
    let folder = members.folders.first
    let whole = FilePath.whole(path, in: folder ?? "")
    // Some tools trim a path or replace `~`, and others do not.
    let opened = FilePath.whole(FilePath.expanded(path, in: folder ?? ""), in: folder ?? "")
    let isCertain = whole == opened && (FilePath.isWhole(path) || folder != nil)
    if isCertain, !FilePath.leavesFolder(path) { allowed = [path, whole].map { RuleText($0) } }
  }

  private mutating func readText(_ text: String, _ name: String, _ members: CallMembers) {
    watched += [text] + members.addresses(except: name).flatMap { [$0, WebAddress.plain($0)] }
    if name != "query" { watched.append(WebAddress.plain(text)) }
    guard members.commands.isEmpty else { return }
    let rule =
      switch name {
      case "url": RuleText.address(text)
      case "prompt": RuleText.prompt(text)
      default: Optional(RuleText(text))
      }
    allowed = members.addresses(except: name).isEmpty ? rule.map { [$0] } ?? [] : []
  }

  private mutating func readArguments(_ members: CallMembers) {
    watched += [members.arguments, members.wholeArguments]
    onlyReads = Self.readers.contains(tool)
    if !isCommand { files = members.paths.map { FileWord($0, in: members.folders) } }
    let isShell = Self.shells.contains(tool)
    guard !isShell, members.isSimple, !(isCommand && hasActingOption) else { return }
    allowed = members.isUnclear ? [] : RuleText.arguments(members.arguments).map { [$0] } ?? []
  }
}
