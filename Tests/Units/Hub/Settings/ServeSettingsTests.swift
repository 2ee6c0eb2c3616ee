import Core
import Hub
import Testing

struct ServeSettingsTests {
  private func settings(_ raw: [String: String]) throws -> ServeSettings {
    var settings = Settings()
    settings.serve = raw
    return try ServeSettings(settings)
  }

  @Test func `what is not set is as usual`() throws {
    let usual = try settings([:])
    #expect(usual == ServeSettings())
    #expect(usual.listen == "127.0.0.1:7878")
    #expect(usual.otlpListen == nil && !usual.keepsTelemetryContent)
    #expect(
      usual.keepEvents == 5_000_000 && usual.keepBytes == 2_147_483_648 && usual.keepDays == 7)
    #expect(usual.links.url(for: .incident, "i") == nil)
  }

  @Test func `every setting is read`() throws {
    let read = try settings([
      "listen": "[::]:80", "public_url": "https://hub.example.org/pipes",
      "terminal_host": "box.tail1234.ts.net", "keep_events": "1", "keep_bytes": "2",
      "keep_days": "3", "incident_url": "https://w.example/i/{id}",
      "gate_url": "https://w.example/g?id={id}",
      "trace_url": "http://w.example:3000/#t={id}&x={id}",
      "session_url": "https://w.example/{id}/s", "otlp_listen": "[::1]:0", "otlp_content": "true",
    ])
    #expect(read.otlpListen == "[::1]:0" && read.keepsTelemetryContent)
    #expect(read.listen == "[::]:80")
    #expect(read.publicURL == "https://hub.example.org/pipes")
    #expect(read.terminalHost == "box.tail1234.ts.net")
    #expect(read.keepEvents == 1 && read.keepBytes == 2 && read.keepDays == 3)
    #expect(
      read.links.url(for: .incident, "a/b?c=d e%é")
        == "https://w.example/i/a%2Fb%3Fc%3Dd%20e%25%C3%A9")
    #expect(read.links.url(for: .gate, "01-a.b_c~d") == "https://w.example/g?id=01-a.b_c~d")
    #expect(read.links.url(for: .trace, "../x") == "http://w.example:3000/#t=..%2Fx&x=..%2Fx")
    #expect(read.links.url(for: .session, "") == nil)
  }

  @Test(arguments: [
    ("listen", "localhost"), ("listen", ""), ("listen", ":7878"), ("listen", "127.0.0.1:70000"),
    ("otlp_listen", "4317"), ("otlp_content", "yes"),
    ("listen", "::1:7878"), ("listen", "http://127.0.0.1:7878"), ("public_url", "hub.example.org"),
    ("public_url", "ftp://hub.example.org"), ("public_url", "https://ann@hub.example.org"),
    ("public_url", "https://"), ("terminal_host", "box:22"), ("terminal_host", "a b"),
    ("keep_events", "0"), ("keep_bytes", "0"), ("keep_days", "0"),
    ("incident_url", "https://w.example/i"), ("gate_url", "w.example/{id}"),
    ("trace_url", "https://{id}.example/"), ("session_url", "javascript:alert('{id}')"),
    ("session_url", "https://w.example{id}"), ("gate_url", "https://w.example/ {id}"),
  ])
  func `a setting that is wrong is named`(name: String, value: String) {
    let failure = #expect(throws: Failure.self) { try settings([name: value]) }
    #expect(failure?.code == .badConfiguration)
    #expect(failure?.input == "serve.\(name)")
    #expect(failure?.explanation.hasPrefix("'serve.\(name)' ") ?? false)
  }

  @Test(arguments: [
    ("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:7878", "::1", 7878), ("localhost:80", "localhost", 80),
  ])
  func `an endpoint has a host and a port, which may be 0`(text: String, host: String, port: Int) {
    let read = ServeSettings.endpoint(text)
    #expect(read?.host == host && read?.port == port)
  }
}
