public import TestSupport

/// Makes documents that are nearly pages, or nothing of the kind.
public struct FuzzInput: Sendable {
  /// The pages that are mutated.
  private let seeds: [[UInt8]]

  /// Mutates our own pages and the given ones.
  public init(pages: [[UInt8]] = []) {
    seeds = FuzzSeeds.pages.map { Array($0.utf8) } + pages
  }

  /// A document, at most about 256 kB long.
  public func document(_ random: inout SeededRandom) -> [UInt8] {
    var bytes: [UInt8]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: bytes = noise(&random)
    case 1: bytes = tokens(&random)
    case 2: bytes = deep(&random)
    default: bytes = seeds.randomElement(using: &random) ?? []
    }
    for _ in 0..<random.small(below: 12) { mutate(&bytes, &random) }
    if random.chance(12) { bytes = encoded(bytes, &random) }
    return Array(bytes.prefix(1 << 18))
  }

  /// Bytes of any kind, or of one kind of letter.
  private func noise(_ random: inout SeededRandom) -> [UInt8] {
    let kinds: [ClosedRange<UInt8>] = [0...255, 0...127, 128...255, 0x20...0x7E, 0x3C...0x3E]
    let range = kinds.randomElement(using: &random) ?? 0...255
    return (0..<random.small(below: 8192)).map { _ in UInt8.random(in: range, using: &random) }
  }

  private func tokens(_ random: inout SeededRandom) -> [UInt8] {
    (0..<random.small(below: 600)).flatMap { _ in token(&random) }
  }

  /// One thing many times: it is what bombs are made of.
  private func deep(_ random: inout SeededRandom) -> [UInt8] {
    let unit = (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in token(&random) }
    let count = min(random.small(below: 20_000), (1 << 18) / max(unit.count, 1))
    return Array(repeatElement(unit, count: count).joined()) + Array("text</p>end".utf8)
  }

  private func token(_ random: inout SeededRandom) -> [UInt8] {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: [UInt8.random(in: 0...255, using: &random)]
    case 1: Array((FuzzSeeds.scalars.randomElement(using: &random) ?? "x").utf8)
    case 2:
      Array(
        "</\(FuzzSeeds.elements.randomElement(using: &random) ?? "p")>".utf8)
    case 3, 4:
      Array(
        "<\(FuzzSeeds.elements.randomElement(using: &random) ?? "p")\(attributes(&random))>".utf8)
    default: Array((FuzzSeeds.tokens.randomElement(using: &random) ?? "x").utf8)
    }
  }

  private func attributes(_ random: inout SeededRandom) -> String {
    (0..<random.small(below: 4)).map { _ in
      " " + (FuzzSeeds.attributes.randomElement(using: &random) ?? "a=b")
    }.joined()
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + random.small(below: max(1, min(bytes.count, 4096))))
    switch Int.random(in: 0..<9, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count:
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4:
      let times = random.small(below: 400)
      bytes.insert(
        contentsOf: repeatElement(token(&random), count: times).joined(), at: place)
    case 5:
      let other = seeds.randomElement(using: &random) ?? []
      let start = Int.random(in: 0...other.count, using: &random)
      bytes.replaceSubrange(place..., with: other[start...])
    case 6: bytes.removeSubrange(place...)
    case 7: bytes.insert(contentsOf: noise(&random).prefix(64), at: place)
    default: bytes.insert(contentsOf: token(&random), at: place)
    }
  }

  /// The same text in another encoding, or with a mark that says so.
  private func encoded(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    let units = Array(String(decoding: bytes, as: UTF8.self).utf16)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case 1: return [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case 2: return [0xEF, 0xBB, 0xBF] + bytes
    default:
      let label = FuzzSeeds.charsets.randomElement(using: &random) ?? "utf-8"
      return Array("<meta charset=\(label)>".utf8) + bytes
    }
  }
}
