import TestSupport
import Testing

@testable import Core

struct SecretSetTests {
  /// Letters of so few kinds that secrets overlap, and begin like others.
  private func letters(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 97...98, using: &random) }
  }

  @Test func `places are those that a search for each secret finds`() {
    var random = SeededRandom(seed: 23)
    for _ in 0..<2000 {
      let secrets = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        letters(Int.random(in: 6...12, using: &random), &random)
      }
      var set = SecretSet()
      for secret in secrets { set.insert(secret) }
      let text = letters(Int.random(in: 0...40, using: &random), &random)
      let bytes = text.dropFirst(Int.random(in: 0...3, using: &random))

      let place = bytes.indices.first { place in secrets.contains(where: bytes[place...].starts) }
      let longest = place.flatMap { place in
        secrets.filter(bytes[place...].starts).map(\.count).max()
      }
      let found = set.first(in: bytes)
      #expect(found?.place == place && found?.count == longest)

      let beginning = bytes.indices.first { place in
        let rest = bytes[place...]
        return secrets.contains { $0.count > rest.count && $0.starts(with: rest) }
      }
      #expect(set.beginning(in: bytes) == beginning ?? bytes.endIndex)
      #expect(set.isEmpty == secrets.isEmpty)
    }
  }
}
