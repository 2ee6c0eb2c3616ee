/// The floors of each module: a file names what its own folder declares and what lies below it.
struct FloorRule {
  /// Each module's folders, the lowest floor first; those that `|` joins stand beside each other
  /// and do not know one another.
  ///
  /// `.` is the door: the files that lie in no folder. It is the highest floor where a row has none.
  static let floors: [String: [String]] = [
    "Adopting": ["Words", "Folding", "Following", "."],
    "Agents": ["Lines", "Relaying"],
    "Asking": ["Money | Tools"],
    "Catalogue": ["Facts", "Rows", ".", "Tables"],
    "Chats": ["Sealing", "Searching", "Storage", "Merging | Sending"],
    "Command": ["Values", "Configuration", "Options", ".", "Asking"],
    "Core": ["Text", "Failures", "Records", "Models", "Files"],
    "Display": ["Cells | Looks", "Words", "Tables", "Documents", "Records", "Live"],
    "Events": ["Words", "Lines", "Log", "Journal", "Showing"],
    "Exporting": ["Names", "Documents", "Folders"],
    "Extraction": ["Text", "Quoting"],
    "Fetching": [
      "Words", "Schedule", "Cache", "Settings", "Documents | Robots", "Transfer", "Batch",
    ],
    "HTTP": ["Words", "Addresses | Events", "Curl", "."],
    "Hooks": ["Words", "Asking | Rules | Serving | Settings"],
    "Hub": [
      "Threads", "Access", "Settings", "Desk", "Live", "Companion | Forwarding", "Routes",
      "PageRoutes | Calls", "Serving",
    ],
    "HubClient": ["Words", "Peer", "Following | Outbox", "."],
    "HubWords": [".", "Hub | Companion"],
    "MCP": ["Words", "Exchange", "Program | Web", "."],
    "OAuth": ["Words", "Redirects | Storage", "Servers"],
    "OTLP": ["Words", "Wire", "Own", "Agents", "Incoming | Outgoing"],
    "Pages": ["Nodes", "Contents", "Views", "."],
    "Pipelines": ["Storage", "Plans", "Steering"],
    "Postgres": ["Words", "Connections", "Tables", "Listening", "Base", "Events"],
    "Processes": ["Spawning", "Programs | Terminals | Others"],
    "Providers": [
      "Asking", "Wire", "Anthropic | ChatCompletions | Responses | Images | Login",
      "Choosing",
    ],
    "Pushing": ["Words", "Channels | Queue", "Devices"],
    "Reading": [
      "Base", "Encoding | Markup", "Feeds | MarkdownText", "Selecting | Visibility | Metadata",
      "Content", "Rendering", "Reader",
    ],
    "Remote": ["Names", "Trust", "Config", "PrivateKeys", "SSH", "Reaching", "Viewing"],
    "Schemas": ["Values", "Patterns", "Keywords", "Checking"],
    "CodingAgents": [
      "Entries", "Files", "Claude | Codex | Gemini | OpenCode", "Programs", "Places",
      "Reading | Processes | Folding",
    ],
    "Signing": ["Keys", "Signatures"],
    "Stages": ["Settings", ".", "Stored"],
    "Storage": ["Files", "Rows", "Tables"],
    "Tools": [
      "Words", "Settings", "Lists", "Consent", "Sources", "Composio", "Calls", ".", "Offering",
    ],
    "Tmux": ["Words", "Listing", "Asking", "Following | Screens"],
    "WebSocket": ["Words", "Frames", "Connections", "Opening", "Client | Server"],
    "Watching": ["Rollup", "Questions", "Steering"],
  ]

  /// Names that types of the language or of a library have too: as a member, they tell no floor.
  static let common: Set = [
    "append", "bytes", "contains", "count", "data", "description", "encode", "end", "fetchAll",
    "filter", "first", "forEach", "hash", "index", "insert", "isEmpty", "join", "joined", "keys",
    "last",
    "lines", "map", "max", "min", "name", "next", "read", "remove", "removeAll", "replace", "run",
    "sort", "sorted", "split", "start", "text", "trimmed", "values", "write",
  ]

  let floors: [String: [String]]

  init(_ floors: [String: [String]] = Self.floors) {
    self.floors = floors
  }

  /// The modules that have folders and no row.
  func withoutRow(among files: [SourceFile]) -> [Violation] {
    let modules = Set(files.filter { $0.folder != nil }.compactMap(\.target))
    return modules.filter { floors[$0] == nil }.sorted().map {
      Violation(path: "Sources/\($0)", reason: "has folders, and no row in the table of floors")
    }
  }

  /// The modules of so many files that they need folders, and have none.
  static func flat(among files: [SourceFile], limit: Int = 12) -> [Violation] {
    let swift = files.filter { $0.path.hasSuffix(".swift") && $0.path.hasPrefix("Sources/") }
    return Dictionary(grouping: swift, by: \.target).compactMap { module, files in
      guard let module, files.count > limit,
        files.allSatisfy({ $0.folder == nil })
      else {
        return nil
      }
      return Violation(
        path: "Sources/\(module)", reason: "has \(files.count) files and no folders")
    }.sorted { $0.path < $1.path }
  }

  /// What the files of the modules in the table name of floors above their own.
  func violations(among files: [SourceFile]) -> [Violation] {
    let swift = files.filter { $0.path.hasSuffix(".swift") && $0.target != nil }
    let parsed = Dictionary(grouping: swift.map(FileDeclarations.init), by: \.file.target)
    let elsewhere = MemberNames(parsed)
    return floors.sorted { $0.key < $1.key }.flatMap { module, row in
      let files = parsed[module] ?? []
      let floors = Floors(module: module, row: row)
      let folders = Set(files.map { $0.file.folder ?? Floors.door })
      let names = FloorNames(files, floors: floors) {
        Self.common.contains($0) || elsewhere.has($0, outside: module)
      }
      return floors.unlike(folders) + files.flatMap { names.violations(in: $0) }
    }
  }
}

/// The members that every module declares.
private struct MemberNames {
  private let modules: [String: Set<String>]

  init(_ parsed: [String?: [FileDeclarations]]) {
    var modules: [String: Set<String>] = [:]
    for (module, files) in parsed {
      guard let module else { continue }
      modules[module] = Set(files.flatMap(\.all).filter { !$0.isPrivate }.map(\.name))
    }
    self.modules = modules
  }

  func has(_ name: String, outside module: String) -> Bool {
    modules.contains { $0.key != module && $0.value.contains(name) }
  }
}

/// One row of the table.
struct Floors {
  static let door = "."
  let module: String
  /// The height of each folder, from 0.
  let heights: [String: Int]

  init(module: String, row: [String]) {
    self.module = module
    var heights: [String: Int] = [:]
    for (height, floor) in row.enumerated() {
      for folder in floor.split(separator: "|") {
        heights[folder.filter { $0 != " " }] = height
      }
    }
    if heights[Self.door] == nil { heights[Self.door] = row.count }
    self.heights = heights
  }

  /// Whether a file of the first folder may name what the second declares.
  func knows(_ folder: String, _ other: String) -> Bool {
    guard folder != other, let own = heights[folder], let its = heights[other] else { return true }
    return its < own
  }

  /// What the row and the module's folders do not have in common.
  func unlike(_ folders: Set<String>) -> [Violation] {
    let rowless = folders.filter { heights[$0] == nil }.sorted().map {
      Violation(path: "Sources/\(module)/\($0)", reason: "stands on no floor of the table")
    }
    let empty = heights.keys.filter { $0 != Self.door && !folders.contains($0) }.sorted().map {
      Violation(path: "Sources/\(module)", reason: "has no folder '\($0)', which the table names")
    }
    return rowless + empty
  }

  /// How a floor is told of.
  func title(_ folder: String) -> String {
    folder == Self.door ? "the door" : "'\(folder)'"
  }
}
