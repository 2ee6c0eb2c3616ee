import Foundation
import Synchronization
import TestSupport
import Testing

/// A fresh place to run tools in: an empty home, a clean environment with a secret in it, and a
/// record of every run.
final class Scratch: Sendable {
  struct TooLate: Error, CustomStringConvertible {
    var description: String
  }

  private struct State {
    var environment: [String: String] = [:]
    var runs: [ToolRun] = []
    var children: [Child] = []
    var writers: [InputPipe] = []
    var count = 0
    var fed: Set<String> = []
  }

  let root: String
  /// A key that must never appear in output; it looks like a real one.
  let secret: String
  private let state = Mutex(State())

  private init() throws {
    // Resolved, because tools may print either form.
    root =
      URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
      + "/agentpipes-\(UUID().uuidString.lowercased().prefix(13))"
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789_-")
    secret = "sk-ant-api03-" + String((0..<40).compactMap { _ in letters.randomElement() })
    for folder in ["home", "user", "work", "runs", "given", "bin"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    let path = Places.environment["PATH"] ?? "/usr/bin:/bin"
    var variables = [
      "PATH": "\(root)/bin:\(Places.tools):\(path)", "HOME": root + "/user",
      "AGENTPIPES_HOME": root + "/home", "TZ": "UTC", "LANG": "C.UTF-8", "USER": "tester",
      // A request to a model that no test serves must fail at once, on this machine.
      "ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
      // A provider that no tool uses: the default stays the one that needs no key.
      "TAVILY_API_KEY": secret,
    ]
    // In a run that measures coverage, each process writes its counts to this file.
    variables["LLVM_PROFILE_FILE"] = Places.environment["LLVM_PROFILE_FILE"]
    state.withLock { [variables] in $0.environment = variables }
  }

  /// Runs a test in a fresh place, then searches it for the secret and removes it.
  static func with(
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Scratch) async throws -> Void
  ) async throws {
    await Permits.shared.take()
    do {
      let scratch = try Scratch()
      do {
        try await body(scratch)
      } catch {
        await scratch.end(sourceLocation)
        throw error
      }
      await scratch.end(sourceLocation)
    } catch {
      await Permits.shared.give()
      throw error
    }
    await Permits.shared.give()
  }

  /// Returns the path of a file in the place.
  func path(_ name: String) -> String { "\(root)/\(name)" }

  var environment: [String: String] { state.withLock { $0.environment } }

  /// The commands run so far.
  var runs: [ToolRun] { state.withLock { $0.runs } }

  /// Sets a variable for the commands that follow; nil removes it.
  func set(_ name: String, _ value: String?) {
    state.withLock { $0.environment[name] = value }
  }

  /// Writes a file and returns its path; `work/` is the current folder of the tools.
  @discardableResult
  func write(_ name: String, _ text: String, executable: Bool = false) throws -> String {
    let file = path(name)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    // A process that another test starts meanwhile must not inherit the descriptor: a script cannot
    // be run while it is open for writing.
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
    noteFed(text)
    chmod(file, executable ? 0o700 : 0o600)
    return file
  }

  func read(_ name: String) -> String {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// Runs a shell's command line to its end; the statuses are those of its last pipeline.
  @discardableResult
  func shell(_ line: String, input: String = "") async throws -> ToolRun {
    try await running(line, input: input).ended()
  }

  /// Runs a shell's command line in the background.
  func running(_ line: String, input: String? = "") throws -> Running {
    let number = nextNumber()
    let file = path("runs/\(number)")
    let script = "\(line)\nprintf '%s ' \"${PIPESTATUS[@]}\" >'\(file).status'\n"
    return try start(["bash", "-c", script], line, file, input: input)
  }

  /// Runs one tool in the background, without a shell; operands may follow the name.
  func starting(_ tool: String, _ arguments: String..., input: String? = "") throws -> Running {
    let words = tool.split(separator: " ").map(String.init) + arguments
    return try start(
      ["\(Places.tools)/\(words[0])"] + words.dropFirst(), words.joined(separator: " "),
      path("runs/\(nextNumber())"), input: input)
  }

  /// Runs any program in the background; `line` is its name in the transcript.
  func running(_ words: [String], _ line: String, input: String? = "") throws -> Running {
    try start(words, line, path("runs/\(nextNumber())"), input: input)
  }

  /// Waits until a condition holds.
  func until(_ what: String, _ condition: () async throws -> Bool) async throws {
    let limit = Date.now.addingTimeInterval(300)
    while try await !condition() {
      guard Date.now < limit else { throw TooLate(description: "never: \(what)") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The lines of the test's own input, which tools may pass on.
  var fed: Set<String> { state.withLock { $0.fed } }

  private func noteFed(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    state.withLock { $0.fed.formUnion(lines) }
  }

  func keep(_ child: Child) { state.withLock { $0.children.append(child) } }

  /// Holds a pipe to a child open until the test ends.
  func keep(_ writer: InputPipe) { state.withLock { $0.writers.append(writer) } }

  func keep(_ run: ToolRun) { state.withLock { $0.runs.append(run) } }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  private func start(
    _ arguments: [String], _ line: String, _ file: String, input: String?
  ) throws -> Running {
    let given = file.replacingOccurrences(of: "/runs/", with: "/given/")
    var streams: [Int32: Child.Stream] = [
      1: .append(file + ".out"), 2: .append(file + ".err"),
    ]
    noteFed(input ?? "")
    guard let input else {
      let pipe = try InputPipe()
      streams[0] = .descriptor(pipe.reading)
      return try spawn(arguments, line, file, streams, pipe)
    }
    try Data(input.utf8).write(to: URL(filePath: given))
    streams[0] = .read(given)
    return try spawn(arguments, line, file, streams, nil)
  }

  private func spawn(
    _ arguments: [String], _ line: String, _ file: String, _ streams: [Int32: Child.Stream],
    _ writer: InputPipe?
  ) throws -> Running {
    let child = try Child(
      arguments, environment: environment, folder: path("work"), streams: streams)
    keep(child)
    return Running(scratch: self, child: child, line: line, file: file, writer: writer)
  }

  private func end(_ sourceLocation: SourceLocation) async {
    for child in state.withLock({ $0.children }) {
      child.signal(SIGKILL)
      _ = await child.ended()
    }
    for place in leaks() {
      Issue.record("the secret is in \(place)", sourceLocation: sourceLocation)
    }
    collectRecords()
    guard Places.environment["AGENTPIPES_KEEP"] == nil else { return }
    try? FileManager.default.removeItem(atPath: root)
  }
}

/// A command in the background.
struct Running: Sendable {
  let scratch: Scratch
  let child: Child
  let line: String
  let file: String
  /// The pipe to its stdin, if the test writes it bit by bit.
  let writer: InputPipe?

  /// Its stdout so far.
  var output: String {
    FileManager.default.contents(atPath: file + ".out")
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Its stderr so far.
  var errors: String {
    FileManager.default.contents(atPath: file + ".err")
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Waits for its end.
  @discardableResult
  func ended() async -> ToolRun {
    writer?.close()
    let ending = await child.ended()
    let statuses = FileManager.default.contents(atPath: file + ".status")
      .map { String(decoding: $0, as: UTF8.self).split(separator: " ").compactMap { Int32($0) } }
    let run = ToolRun(
      command: line, endings: statuses?.map { .exit($0) } ?? [ending], output: output,
      errors: errors)
    scratch.keep(run)
    return run
  }
}
