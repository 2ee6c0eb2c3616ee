extension Scratch {
  /// Starts a host that implements only the companion app's original document; `HOST` is its URL,
  /// and `START` the command that opens a code there.
  @discardableResult
  func serveCompanion(_ arguments: [String] = []) async throws -> Server {
    let server = try await Server(
      self, "companion_server.py", arguments, log: "companion.log")
    set("HOST", server.url(""))
    set("START", "curl -s -X POST \(server.url("/companion/pairing/start"))")
    return server
  }

  /// Pairs this machine with that host by its digits, under the name `mac`.
  func pairWithCompanion() async throws {
    try await shell(
      "pair complete $HOST --code $($START | jq -r .code) --name mac --device-name laptop")
  }
}

extension Server {
  /// Returns the requests for one of the endpoints of companion_server.py.
  func requests(for endpoint: String) -> [Record] {
    requests.filter { $0["endpoint"] == endpoint }
  }
}
