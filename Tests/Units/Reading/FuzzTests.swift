import TestSupport
import Testing

@testable import ReadingFuzz

/// The long form is Tests/Endurance/fuzz-reading.sh.
@Suite struct FuzzTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a document that nobody would write is read all the same`(seed: UInt64) {
    let input = FuzzInput()
    for place in 0..<50 as Range<UInt64> {
      var random = SeededRandom(seed: seed, place: place)
      let document = input.document(&random)
      #expect(
        FuzzCheck.faults(document, &random) == [],
        "reading-fuzz --seed \(seed) --from \(place) --count 1")
    }
  }

  @Test(arguments: [
    ("[a](https://a.example/x) and [b](<y z>)", ["https://a.example/x", "y"]),
    ("![i](data:x) [j](javascript:alert(1))", ["data:x", "javascript:alert(1"]),
    ("one\n[two\nlines](vbscript:x)", ["vbscript:x"]),
    ("<https://a.example>", ["https://a.example"]),
    ("a <script>x</script>", ["script", "/script"]), ("a<br>b 1 < 2 <3", []),
    (#"\[a\](javascript:x) \<b>"#, []), ("`[a](javascript:x)` ``a ` [b](x:y)``", []),
    ("```\n[a](javascript:x)\n```\n[b](c:d)", ["c:d"]), ("> - ```x\n>   [a](b:c)\n>   ```\n", []),
    ("~~~\n```\n~~~\n1. [a](b:c)", ["b:c"]), ("`a\n\n[b](c:d)`", ["c:d"]),
  ])
  func `the fuzzer sees where Markdown leads`(markdown: String, targets: [String]) {
    #expect(MarkdownTargets.targets(in: markdown) == targets)
  }

  @Test func `a document is the same whenever it is made, and another at another place`() {
    let input = FuzzInput()
    let documents = (0..<2).map { _ in
      (0..<20 as Range<UInt64>).map { place in
        var random = SeededRandom(seed: 5, place: place)
        return input.document(&random)
      }
    }
    #expect(documents[0] == documents[1])
    #expect(Set(documents[0]).count > 15)
  }
}
