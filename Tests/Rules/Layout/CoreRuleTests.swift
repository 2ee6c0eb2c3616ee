import Testing

/// Made-up houses, each of which breaks the rule of Core in one way.
@Suite struct CoreRuleTests {
  private func found(_ files: [String: String]) -> [String] {
    CoreRule.violations(
      among: files.sorted { $0.key < $1.key }.map {
        SourceFile(path: "Sources/\($0.key)", text: $0.value)
      }
    ).map(\.description)
  }

  @Test func `what two targets use is left alone`() {
    let files = [
      "Core/Text/A.swift": "public struct Stone {}", "Pages/A.swift": "let a = Stone()",
      "show/A.swift": "let b: Stone? = nil",
    ]
    #expect(found(files) == [])
  }

  @Test func `what one target or none uses is found`() {
    let files = [
      "Core/Text/A.swift": "public struct Stone {}\npublic func lay() {}",
      "Core/Text/B.swift": "public struct Sand {}",
      "Core/Text/Stone+Paint.swift": "extension Stone { public func painted() {} }",
      "Pages/A.swift": "let a = Stone().painted()", "show/A.swift": "lay()",
      "show/B.swift": "// Sand and painted",
    ]
    #expect(
      found(files) == [
        "Sources/Core/Text/B.swift: is used by no other target",
        "Sources/Core/Text/Stone+Paint.swift: is used by 'Pages' alone",
      ])
  }

  @Test func `what Core's own files use is as shared as they are`() {
    let files = [
      "Core/Text/A.swift": "struct Inner { func a() { Deep() } }",
      "Core/Text/Deep.swift": "struct Deep {}",
      "Core/Text/B.swift": "public struct Outer { var a: Inner }",
      "Core/Text/C.swift": "public struct Lone { var a: Own }",
      "Core/Text/D.swift": "struct Own {}",
      "Pages/A.swift": "Outer(); Lone()", "show/A.swift": "Outer()",
    ]
    #expect(
      found(files) == [
        "Sources/Core/Text/C.swift: is used by 'Pages' alone",
        "Sources/Core/Text/D.swift: is used by 'Pages' alone",
      ])
  }

  @Test func `a record may be used by one target`() {
    #expect(found(["Core/Models/Page.swift": "public struct Page {}"]) == [])
  }

  @Test func `a loose file is found`() {
    let files = [
      "Core/A.swift": "public struct Stone {}", "Pages/A.swift": "Stone()",
      "show/A.swift": "Stone()",
    ]
    #expect(found(files) == ["Sources/Core/A.swift: lies in none of Core's folders"])
  }

  @Test func `a large Core is found`() {
    let text = String(repeating: "\n", count: 2_000)
    let files = ["Core/Models/A.swift": text, "Core/Text/A.swift": text, "Core/Text/B.swift": text]
    let long = found(files).filter { $0.hasPrefix("Sources/Core:") }
    #expect(
      long == ["Sources/Core: has 4000 lines without its records, fewer than 4000 are allowed"])
    let short = found(files.filter { $0.key != "Core/Text/B.swift" })
    #expect(!short.contains { $0.hasPrefix("Sources/Core:") })
  }
}
