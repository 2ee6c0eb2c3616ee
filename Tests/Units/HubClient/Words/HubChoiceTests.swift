import Core
import HubClient
import Keys
import Testing

struct HubChoiceTests {
  @Test(arguments: [
    ("http://127.0.0.1:7878", "http://127.0.0.1:7878"), ("HTTP://Build:7878/", "http://build:7878"),
    ("https://hub.example.org:443/pipes/", "https://hub.example.org/pipes"),
    ("ws://build:7878/v1/stream", "http://build:7878"),
    ("wss://hub.example.org", "https://hub.example.org"),
    ("http://[::1]:7878", "http://[::1]:7878"), ("http://build:80//", "http://build"),
  ])
  func `a hub has one URL, however it is written`(text: String, url: String) throws {
    let hub = try HubChoice(url: text)
    #expect(hub.url == url)
    #expect(hub.wantsWebSocket == text.lowercased().hasPrefix("ws"))
    #expect(hub.keyName == (try HubChoice(url: url)).keyName)
    #expect(hub.keyName.wholeMatch(of: #/[a-z0-9_-]{1,64}/#) != nil)
  }

  @Test(arguments: [
    "", "build", "build:7878", "ftp://build", "http://", "http:///x", "http://ann@build",
    "http://ann:secret@build", "http://build?x=1", "http://build#x", "http://build:0",
    "http://build:70000", "http://bu ild",
  ])
  func `another text is no hub's URL`(text: String) {
    let failure = #expect(throws: Failure.self) { try HubChoice(url: text) }
    #expect(failure?.code == .badUsage)
  }

  @Test func `a name is one of the configuration`() throws {
    let hubs = ["ci": "http://build:7878", "broken": "build"]
    #expect(try HubChoice.named("ci", among: hubs).url == "http://build:7878")
    #expect(try HubChoice.named("http://other:1", among: hubs).url == "http://other:1")
    let unknown = #expect(throws: Failure.self) { try HubChoice.named("cd", among: hubs) }
    #expect(unknown?.code == .badUsage)
    #expect(
      unknown?.explanation
        == "there is no hub 'cd' in the configuration: known hubs are 'broken', 'ci'")
    let broken = #expect(throws: Failure.self) { try HubChoice.named("broken", among: hubs) }
    #expect(broken?.code == .badConfiguration)
    let empty = #expect(throws: Failure.self) { try HubChoice.named("", among: hubs) }
    #expect(empty?.code == .badUsage)
  }

  @Test(arguments: [
    "http://127.0.0.1:7878", "https://192.168.100.200:65535", "http://[fe80::1234:5678:9abc]:7878",
    "https://hub-1234567890-1234567890.example.org:12345/a/b",
  ])
  func `the name of its tokens may be asked for`(url: String) throws {
    #expect(!SecretShape.isSecretForName(try HubChoice(url: url).keyName))
  }

  @Test(arguments: [
    ("http://localhost:1", true), ("http://127.0.0.1:1", true), ("http://127.9.9.9:1", true),
    ("http://[::1]:1", true), ("http://localhost.evil:1", false), ("http://10.0.0.1:1", false),
    ("http://build:1", false), ("http://127.0.0.1.evil:1", false),
  ])
  func `a hub of this machine is known by its address`(url: String, isLocal: Bool) throws {
    #expect(try HubChoice(url: url).isLocal == isLocal)
  }

  @Test func `hubs that differ in a port or a path have tokens of their own`() throws {
    let names = try [
      "http://build", "https://build", "http://build:1", "http://build/a", "http://build/b",
    ]
    .map { try HubChoice(url: $0).keyName }
    #expect(Set(names).count == names.count)
  }
}
