import Core

/// The arguments of a request, by their meaning.
struct CallMembers {
  private let input: [String: JSONValue]
  /// The arguments as JSON with sorted members.
  let arguments: String
  /// The folders to which a path may be relative, the session's first.
  let folders: [String]

  /// The members in which tools expect a command line.
  private static let commands = ["command", "cmd", "script", "commands", "shell_command", "code"]
  /// The members beside a command line that do not change what it may do.
  private static let harmless: Set = [
    "description", "timeout", "timeout_ms", "run_in_background", "is_background",
  ]
  /// The members that name the folder of a command line, which chooses its programs and files.
  private static let places = ["directory", "dir_path", "workdir"]

  /// Creates the members of the given request.
  init(_ request: HookRequest) {
    input = request.input
    arguments = request.arguments
    let folder = request.folder
    let others = Self.places.compactMap { name in
      if case .string(let text)? = request.input[name] {
        FilePath.whole(text, in: folder ?? "")
      } else {
        nil
      }
    }
    folders = (folder.map { [$0] } ?? []) + others
  }

  /// Returns the texts in the given value.
  static func strings(_ value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let items): items.flatMap(strings)
    case .object(let members): members.values.flatMap(strings)
    default: []
    }
  }

  // MARK: Commands

  /// The values of the members that may be command lines.
  var commands: [JSONValue] { Self.commands.compactMap { input[$0] } }

  /// The command line of a shell; nil if it is no text.
  var command: String? {
    if case .string(let line)? = input["command"] ?? input["cmd"] { line } else { nil }
  }

  /// `true` if no other member may change what the command line does.
  var isPlainCommand: Bool {
    let others = input.keys.filter { !Self.commands.contains($0) && !Self.harmless.contains($0) }
    return others.allSatisfy { name in
      let isHere = folders.first.map { input[name] == .string($0) } ?? false
      return [.null, .bool(false)].contains(input[name]) || Self.places.contains(name) && isHere
    }
  }

  /// `true` if each command line is simple, whatever the meaning of quotes is.
  var isSimple: Bool {
    commands.allSatisfy { value in
      if case .string(let line) = value {
        ShellCommand(line).isSimple(quotes: false)
      } else {
        false
      }
    }
  }

  // MARK: Paths and addresses

  private static func isOfPath(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["path", "file", "dir", "folder"].contains { name.contains($0) }
  }

  /// The texts of all members that name files.
  var paths: [String] { texts { _ in true } }

  /// The texts of all members that name files, but not the folder of a command.
  var filePaths: [String] { texts { !Self.places.contains($0) } }

  private func texts(of isWanted: (String) -> Bool) -> [String] {
    input.filter { Self.isOfPath($0.key) && isWanted($0.key) }.values.flatMap(Self.strings)
      .filter { !$0.isEmpty }
  }

  /// The path, if one member alone names a file.
  var onlyPath: String? {
    let named = input.filter { Self.isOfPath($0.key) }
    guard named.count == 1, case .string(let path)? = named.values.first else { return nil }
    return path
  }

  /// Returns the addresses in all members but the given one and the prompt.
  func addresses(except name: String) -> [String] {
    input.filter { $0.key != name && $0.key != "prompt" }.values.flatMap(Self.strings)
      .filter { $0.contains("://") }
  }

  /// `true` if a path among the arguments may leave its folder, or an address has no scheme.
  var isUnclear: Bool { Self.isUnclear(.object(input), of: "") }

  private static func isUnclear(_ value: JSONValue, of name: String) -> Bool {
    switch value {
    case .string(let text):
      let isAddress = ["url", "uri"].contains { name.lowercased().contains($0) }
      return FilePath.leavesFolder(text) || isAddress && !text.contains("://")
    case .array(let items): return items.contains { isUnclear($0, of: name) }
    case .object(let members): return members.contains { isUnclear($0.value, of: $0.key) }
    default: return false
    }
  }

  /// The arguments as JSON, with all paths from the root.
  var wholeArguments: String {
    let line = try? RecordJSON.line(of: whole(.object(input), of: ""))
    return line.map { String(decoding: $0, as: UTF8.self) } ?? arguments
  }

  private func whole(_ value: JSONValue, of name: String) -> JSONValue {
    switch value {
    case .string(let text):
      let isPath = Self.isOfPath(name) || text.contains("/") || text.hasPrefix("~")
      guard isPath, !text.contains("://"), !text.isEmpty else { return value }
      let folder = folders.first ?? ""
      return .string(FilePath.whole(FilePath.expanded(text, in: folder), in: folder))
    case .array(let items): return .array(items.map { whole($0, of: name) })
    case .object(let members):
      return .object(
        Dictionary(uniqueKeysWithValues: members.map { ($0.key, whole($0.value, of: $0.key)) }))
    default: return value
    }
  }
}
