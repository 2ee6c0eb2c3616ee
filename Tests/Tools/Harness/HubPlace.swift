import Foundation
import TestSupport
import Testing

/// A hub that can be killed and restarted on its port, with homes of agents on other hosts.
struct HubPlace {
  let scratch: Scratch
  let port: Int

  /// Starts a hub on the port.
  func hub() async throws -> Running {
    let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:\(port)", input: nil)
    try await scratch.until("the hub listens") { hub.errors.contains("listening on ") }
    return hub
  }

  /// Kills a hub.
  func kill(_ hub: Running) async {
    hub.child.signal(SIGKILL)
    await hub.ended()
  }

  /// Starts an agent on another host.
  func agent(_ words: String, on host: String = "host") throws -> Running {
    try scratch.running(
      "AGENTPIPES_HOME='\(scratch.path(host))' exec agent-run --hub $HUB \(words)", input: "")
  }

  /// Returns events of the hub's log, by a command that reads it on the hub's machine.
  func told(_ filter: String) throws -> String {
    try scratch.output(of: "stream-tail \(filter)")
  }

  /// Returns the lines that the agent's host has yet to send.
  func spooled(on host: String = "host") -> String {
    let folder = scratch.path("\(host)/state/hubs")
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".ndjson") }.sorted()
      .map { scratch.read("\(host)/state/hubs/\($0)") }.joined()
  }

  /// Sends a control as the hub's operator, and returns its run.
  func control(_ words: String) async throws -> ToolRun {
    try await scratch.shell("agent-control \(words) --wait 4m")
  }

  /// Runs a test with a hub; hosts are registered with it.
  static func with(
    hosts: [String] = ["host"], _ body: (HubPlace, Running) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      let hub = try scratch.starting(
        "hub-serve", "--listen", "127.0.0.1:\(SSHHost.freePort())", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let words = hub.errors.split(whereSeparator: \.isWhitespace)
      let url = String(words.last { $0.hasPrefix("http") } ?? "")
      scratch.set("HUB", url)
      for host in hosts {
        let run = try await scratch.shell(
          "code=$(hub-serve register-code --scope events --name \(host) | jq -r .code); AGENTPIPES_HOME='\(scratch.path(host))' pair register $HUB --code $code"
        )
        #expect(run.statuses == [0])
      }
      let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
      try await body(HubPlace(scratch: scratch, port: port), hub)
    }
  }
}

extension Scratch {
  /// Returns the output of a shell's command line, without an entry in the transcript.
  func output(of line: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.environment = environment
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
