import Foundation
import TestSupport
import Testing

/// Servers of tools for the tests of tool-call.
extension Scratch {
  /// The tools of the scripted server, unless a test changes them.
  static let tools = """
    [{"name":"echo","title":"Echo","description":"Returns its arguments",
      "inputSchema":{"type":"object","required":["text"],"additionalProperties":false,
        "properties":{"text":{"type":"string"},"count":{"type":"integer"},
          "deep":{"anyOf":[{"type":"boolean"},{"type":"null"}]},"list":{"type":"array"}}},
      "outputSchema":{"type":"object","required":["text"]}},
     {"name":"fail","description":"Fails","inputSchema":{"type":"object"}},
     {"name":"env","description":"Returns the environment","inputSchema":{"type":"object"}},
     {"name":"text_only","description":"Lacks its structure","inputSchema":{"type":"object"},
      "outputSchema":{"type":"object"}},
     {"name":"hang","description":"Never answers","inputSchema":{"type":"object"}}]
    """

  /// Adds the scripted server with the given name.
  func addServer(_ name: String, _ options: String = "", tools: String = tools) async throws {
    try write("given/\(name).json", tools)
    try serveScript()
    let run = try await shell("tool-call add \(name) \(options) -- \(serverCommand(name))")
    try #require(run.statuses == [0])
  }

  /// Copies the scripted server into the place, so that no transcript names the checkout.
  func serveScript() throws {
    let file = Places.tests + "/Support/Servers/tool_server.py"
    try write("given/tool_server.py", String(contentsOfFile: file, encoding: .utf8))
  }

  /// The command of the scripted server whose tools are in `given/NAME.json`.
  func serverCommand(_ name: String) -> String {
    "python3 \(path("given/tool_server.py")) \(path("given/\(name).json"))"
      + " --log \(path("given/\(name).log"))"
  }

  /// The lines of the log of the given server.
  func serverLog(_ name: String, _ type: String) -> [Record] {
    Record.all(in: read("given/\(name).log")).filter { $0.type == type }
  }

  /// Returns the program of the given name in a folder of peers from PyPI; nil if it is not there.
  static func peer(_ folder: String, _ program: String) -> String? {
    let file = Checkout.root.path + "/.build/\(folder)/bin/\(program)"
    return access(file, X_OK) == 0 ? file : nil
  }
}
