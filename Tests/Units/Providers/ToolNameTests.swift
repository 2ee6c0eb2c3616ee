import Core
import Providers
import TestSupport
import Testing

/// The names under which tools are offered.
struct ToolNameTests {
  @Test func `names are unique, stable and accepted by every provider`() {
    var random = SeededRandom(seed: 29)
    let letters = Array("ab_-. /é東__:A9")
    var tools: Set<[String]> = [["mcp:s", "search.v2"], ["mcp:s", "search_v2"], ["tavily", "s"]]
    for source in ["a", "a_", "a__b", "a__", "b"] {
      for tool in ["b__c", "c", "_c", "__c", "b", ""] { tools.insert(["mcp:\(source)", tool]) }
    }
    while tools.count < 5000 {
      let length = [1, 2, 5, 63, 64, 65, 128].randomElement(using: &random) ?? 1
      let tool = String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
      let source = ["mcp:s", "mcp:long-source-name", "tavily", "composio"]
      tools.insert([source.randomElement(using: &random) ?? "", tool])
    }
    var names: [String: [String]] = [:]
    for tool in tools {
      let name = ToolOffer.name(of: tool[1], from: tool[0])
      #expect(name == ToolOffer.name(of: tool[1], from: tool[0]))
      #expect((1...64).contains(name.utf8.count), "\(tool)")
      #expect(name.utf8.allSatisfy { isAccepted($0) }, "\(name)")
      #expect(names.updateValue(tool, forKey: name) == nil, "\(tool): \(name)")
    }
    #expect(ToolOffer.name(of: "search_v2", from: "mcp:s") == "s__search_v2")
    #expect(ToolOffer.name(of: "web_search", from: "tavily") == "web_search")
  }

  private func isAccepted(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x5F || byte == 0x2D
  }
}
