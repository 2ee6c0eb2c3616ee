import Core
import Foundation
import Processes
import Synchronization
import TestSupport

@testable import MCP

/// A server in Python, a client of it, and what the client noted.
final class MadeServer: Sendable {
  private static let guardian = Result { () throws(Failure) in try Guardian() }
  static let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]

  let client: MCPClient
  /// The notes, as they arrive.
  let notes: AsyncStream<MCPNote>
  /// The program and its arguments.
  let words: [String]
  private let home: Home
  private let keep: Keep

  /// Creates a client of `mcp_server.py`, or of another program.
  init(
    _ options: [String] = [], program: [String]? = nil, person: (any MCPPerson)? = nil,
    remembered: MCPRevision? = nil, revision: MCPRevision? = nil,
    timeout: Duration = .seconds(600), patience: Duration = .seconds(600), folder: String? = nil,
    traceparent: String? = nil
  ) throws {
    // As every tool does: a program that reads no more is told by EPIPE.
    signal(SIGPIPE, SIG_IGN)
    let home = try Home()
    let script = Checkout.root.path + "/Tests/Support/Servers/mcp_server.py"
    let words = program ?? ["python3", script, "--log", home.path + "/log"] + options
    var server = MCPServer(
      name: "mcp:made",
      place: .program(words, environment: Self.environment, folder: folder),
      timeout: timeout, revision: revision)
    server.patience = patience
    let (stream, continuation) = AsyncStream.makeStream(of: MCPNote.self)
    let keep = Keep()
    client = MCPClient(
      server, version: "0", person: person, remembered: remembered,
      traceparent: { traceparent },
      report: { note in
        keep.notes.withLock { $0.append(note) }
        continuation.yield(note)
      }, guardian: { () throws(Failure) in try Self.guardian.get() })
    (notes, self.words, self.home, self.keep) = (stream, words, home, keep)
  }

  private final class Keep: Sendable { let notes = Mutex<[MCPNote]>([]) }

  /// The notes so far.
  var allNotes: [MCPNote] { keep.notes.withLock { $0 } }

  /// A path in a folder of the test's own.
  func path(_ name: String) -> String { home.path + "/" + name }

  /// The messages that the server has received.
  var received: [JSONValue] {
    get throws {
      let text = try String(contentsOfFile: path("log"), encoding: .utf8)
      return text.split(separator: "\n").compactMap { JSONText.value(Array($0.utf8)) }
    }
  }

  /// The methods of these messages.
  var methods: [String] {
    get throws {
      try received.compactMap {
        if case .string(let method)? = $0.members?["method"] { method } else { nil }
      }
    }
  }

  /// Calls a tool by its name.
  func call(
    _ name: String, _ arguments: [String: JSONValue] = [:], isRepeatable: Bool = false
  ) async throws(Failure) -> MCPResult {
    try await client.call(
      MCPTool(name), arguments: .object(arguments), isRepeatable: isRepeatable)
  }

  /// Starts the program on a channel of its own.
  func channel() throws(Failure) -> ProgramChannel {
    try ProgramChannel(
      "mcp:made", words, environment: Self.environment, folder: nil,
      guardian: try Self.guardian.get(),
      report: { [keep] note in
        keep.notes.withLock { $0.append(note) }
      })
  }

  /// Waits for a note of progress.
  func progress() async -> String? {
    for await note in notes {
      if case .progress(let sentence) = note { return sentence }
    }
    return nil
  }
}

extension MCPTool {
  /// Creates a tool whose schema allows all arguments.
  init(_ name: String) {
    self.init(name: name, inputSchema: .object(["type": .string("object")]))
  }
}

extension MCPResult {
  /// The text of the first part.
  var text: String? {
    if case .string(let text)? = content.first?.members?["text"] { text } else { nil }
  }

  /// The JSON that the first part contains.
  var json: JSONValue? { text.flatMap { JSONText.value(Array($0.utf8)) } }
}

/// A person who gives the same answer to every question.
final class SamePerson: MCPPerson {
  let answer: MCPAnswer
  private let heard = Mutex<[String]>([])

  init(_ answer: MCPAnswer) { self.answer = answer }

  /// The questions so far.
  var questions: [String] { heard.withLock { $0 } }

  func fill(_ message: String, _ schema: JSONValue, for server: String) async -> MCPAnswer {
    heard.withLock { $0.append("\(server): \(message)") }
    return answer
  }

  func open(_ address: String, _ message: String, for server: String) async -> MCPAnswer {
    heard.withLock { $0.append("\(server): \(message): \(address)") }
    return answer
  }
}

/// The failure of a call, if it fails.
func failed(_ work: () async throws(Failure) -> Void) async -> Failure? {
  do throws(Failure) {
    try await work()
    return nil
  } catch {
    return error
  }
}
