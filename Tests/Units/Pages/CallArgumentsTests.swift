import Core
import Testing

@testable import Pages

/// The arguments of a call as a table, of which nothing is hidden.
struct CallArgumentsTests {
  private static func rows(_ text: String) -> [String]? {
    CallArguments(text).map { call in
      [call.question] + call.members.map { "\($0.name)=\($0.value)" } + [call.rest]
    }
  }

  @Test(arguments: [
    (#"{"command":"ls -l"}"#, ["", "command=ls -l", ""]),
    (#"{"a":"one\ntwo\t3","b":"\u001b[31m"}"#, ["", "a=one\ntwo\t3", "b=\u{1B}[31m", ""]),
    (
      #"{"a":[1,{"b":"},\"]"}],"c":12345678901234567890,"d":null,"e":""}"#,
      ["", #"a=[1,{"b":"},\"]"}]"#, "c=12345678901234567890", "d=null", "e=", ""]
    ),
    (#"{"a":"x","a":"y"}"#, ["", "a=x", "a=y", ""]),
    (#"{"a":"… and 3 more characters"}"#, ["", "a=… and 3 more characters", ""]),
    (
      #"call 'send' of mcp:box? {"to":"a"}"#, ["call 'send' of mcp:box? ", "to=a", ""]
    ),
  ])
  func `each argument has its value`(text: String, wanted: [String]) {
    #expect(Self.rows(text) == wanted)
  }

  @Test(arguments: [
    (
      #"{"a":"one\n… and 12 more characters"#,
      ["", "a=one\n", "… and 12 more characters"]
    ),
    (
      #"{"a":"1","b":"two\u00… and 7 more characters"#,
      ["", "a=1", "b=two", #"\u00… and 7 more characters"#]
    ),
    (#"{"a":"two\… and 7 more characters"#, ["", "a=two", #"\… and 7 more characters"#]),
    (#"{"a":"1"… and 7 more characters"#, ["", "a=1", "… and 7 more characters"]),
    (#"{"a":"1","com… and 7 more characters"#, ["", "a=1", #""com… and 7 more characters"#]),
    (#"{"a":[1,"x… and 7 more characters"#, ["", #"a=[1,"x"#, "… and 7 more characters"]),
    (#"{"a":12… and 7 more characters"#, ["", "a=12", "… and 7 more characters"]),
  ])
  func `a cut text has the number of missing characters`(text: String, wanted: [String]) {
    #expect(Self.rows(text) == wanted)
  }

  @Test(arguments: [
    "", "two minutes", "{}", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":"x"} and more"#, #"{"a":"x""#,
    #"{"a":x}"#, #"{"a":"x",}"#, #"{"a":"x"]"#, #"["a"]"#, #"{a:"x"}"#, #"{"a":"x"}}"#,
    #"{"a":1:2}"#, #"{"a":"x"}… and 3 more characters"#, "{… and 3 more characters",
    #"call 'a? {"b":"c"}' of mcp:box? {"to":"d"}"#, #"call {"b":"c"}"#,
  ])
  func `another text has no arguments`(text: String) {
    #expect(Self.rows(text) == nil)
  }

  /// A text of `ApprovalGate.words(_:upTo:)`, cut anywhere.
  @Test func `every character of a call is shown, wherever it is cut`() throws {
    let command = "echo \"a\\b\"\n\tüß… and 3 more characters 👩‍👩‍👧‍👦 \u{1}}{],:"
    let literal = String(decoding: JSONString.literal(command), as: UTF8.self)
    let json = "{\"command\":\(literal),\"next\":true}"
    #expect(Self.rows(json) == ["", "command=\(command)", "next=true", ""])
    let count = json.unicodeScalars.count
    for limit in 12..<count {
      let text = ApprovalGate.words(json, upTo: limit)
      let call = try #require(CallArguments(text), "\(text)")
      #expect(call.rest.hasSuffix("… and \(count - limit) more characters"))
      let shown = try #require(call.members.first).value
      #expect(command.unicodeScalars.starts(with: shown.unicodeScalars), "\(text)")
      // What a cut leaves of an escape is shown as it is.
      let whole = String(decoding: JSONString.literal(shown), as: UTF8.self).dropLast()
      let kept = "{\"command\":\(whole)" + call.rest.prefix { $0 != "…" }
      #expect(
        shown == command || json.unicodeScalars.starts(with: kept.unicodeScalars), "\(text)")
    }
  }
}
