import ReadingFuzz
import Testing

/// The long form is Tests/fuzz-reading.sh.
@Suite struct FuzzTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a document that nobody would write is read all the same`(seed: UInt64) {
    let input = FuzzInput()
    for place in 0..<100 as Range<UInt64> {
      var random = FuzzRandom(seed: seed, place: place)
      let document = input.document(&random)
      #expect(
        FuzzCheck.faults(document, &random) == [],
        "reading-fuzz --seed \(seed) --from \(place) --count 1")
    }
  }
}
