import Core
import Foundation

/// The texts of a request with which rules compare their patterns.
struct RuleSubject {
  /// The tool's name.
  let tool: String
  /// The forms of the argument that an `allow` rule may match; nil if no such rule applies.
  let allowed: [String]?
  /// The forms of the argument that other rules may match.
  let watched: [String]
  /// `true` if the shell replaces a part of the command line by names of files.
  private(set) var hasGlob = false

  /// The tools that run a command line in a POSIX shell.
  private static let shells: Set = [
    "Bash", "run_shell_command", "shell", "local_shell", "exec_command",
  ]
  /// The members in which tools expect a command line.
  private static let commands = ["command", "cmd", "script", "commands", "shell_command", "code"]
  /// The members beside a command line that do not change what it may do.
  private static let harmless: Set = [
    "description", "timeout", "timeout_ms", "run_in_background", "is_background",
  ]
  /// The members that name the folder of a command line, which chooses its programs and files.
  private static let folders: Set = ["directory", "dir_path", "workdir"]
  /// The members that name the file of a tool.
  private static let paths = ["file_path", "absolute_path", "notebook_path", "path", "dir_path"]
  /// The tools whose subject is one file or folder.
  private static let files: Set = [
    "Read", "Edit", "Write", "MultiEdit", "NotebookRead", "NotebookEdit", "LS", "read_file",
    "write_file", "replace", "list_directory",
  ]
  /// The tools whose subject is a text: its member.
  private static let texts = [
    "WebFetch": "url", "WebSearch": "query", "google_web_search": "query", "web_fetch": "prompt",
  ]

  /// Creates the subject of the given request.
  init(_ request: HookRequest) {
    tool = request.tool
    let input = request.input
    let lines = Self.commands.compactMap { input[$0] }
    let parts = lines.flatMap { Self.strings($0) }.flatMap { ShellCommand($0).parts }
    if Self.shells.contains(tool), case .string(let line)? = input["command"] ?? input["cmd"],
      lines.count == 1
    {
      let command = ShellCommand(line)
      let others = input.keys.filter { !Self.commands.contains($0) && !Self.harmless.contains($0) }
      let isPlain = others.allSatisfy { name in
        let isHere = request.folder.map { input[name] == .string($0) } ?? false
        return [.null, .bool(false)].contains(input[name]) || Self.folders.contains(name) && isHere
      }
      hasGlob = command.hasGlob
      allowed = isPlain && command.isSimple(quotes: true) ? [command.text] : nil
      watched = command.parts
    } else if Self.shells.contains(tool) {
      (allowed, watched) = (nil, [request.arguments] + parts)
    } else if !lines.isEmpty {
      let isSimple = lines.allSatisfy { line in
        if case .string(let line) = line {
          ShellCommand(line).isSimple(quotes: false)
        } else {
          false
        }
      }
      let arguments = request.arguments
      (allowed, watched) = (isSimple ? [arguments] : nil, [arguments] + parts)
    } else if Self.files.contains(tool), let path = Self.path(in: input) {
      let whole = Self.whole(path, in: request.folder)
      let opened = Self.whole(Self.expanded(path), in: request.folder)
      // Some tools trim a path or replace `~`, and others do not.
      let isCertain = whole == opened && (path.hasPrefix("/") || request.folder != nil)
      let names = path.unicodeScalars.split(separator: "/")
      let leavesFolder = names.contains { $0.elementsEqual("..".unicodeScalars) }
      allowed = leavesFolder || !isCertain ? [] : [path, whole]
      watched = [path, whole, opened]
    } else if let name = Self.texts[tool], case .string(let text)? = input[name] {
      (allowed, watched) = ([text], [text])
    } else {
      let arguments = request.arguments
      (allowed, watched) = ([arguments], [arguments])
    }
  }

  /// Returns the only path among the arguments.
  private static func path(in input: [String: JSONValue]) -> String? {
    let named = paths.compactMap { input[$0] }
    guard named.count == 1, case .string(let path) = named[0] else { return nil }
    return path
  }

  /// Returns the given path from the root, without `.`, `..` and empty names; links stay.
  private static func whole(_ path: String, in folder: String?) -> String {
    let text = path.hasPrefix("/") ? path : (folder ?? "") + "/" + path
    var names: [Substring] = []
    for name in text.unicodeScalars.split(separator: "/").map({ Substring($0) }) where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }

  /// Returns the given path without white space around it, with the home folder in place of `~`.
  private static func expanded(_ path: String) -> String {
    let trimmed = path.trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters))
    guard trimmed == "~" || trimmed.hasPrefix("~/") else {
      return trimmed.hasPrefix("~") ? "/home/" + trimmed.dropFirst() : trimmed
    }
    return NSHomeDirectory() + trimmed.dropFirst()
  }

  private static func strings(_ value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let items): items.flatMap(strings)
    default: []
    }
  }
}
