/// The first words of lines that call for another story: `READ MORE`, `Lesen Sie auch`.
enum ReadingCalls {
  /// Words of a block from which on it says more than where to read on.
  private static let most: Int32 = 30

  /// Whether a block is a call: it begins as they do, and a third of it or more is a link.
  static func contains(_ block: Block) -> Bool {
    block.words > 2 && block.words <= most && block.linkWords * 3 >= block.words
      && firsts[block.firstPair] != nil
  }

  /// The first two words of calls in some languages, by the hash of a pair.
  private static let firsts = NameTable(
    """
    read more,read also,also read,see also,read next,more on,more from,you may,you might,don't miss,\
    lesen sie,lies auch,lies mehr,lese auch,auch interessant,auch lesenswert,mehr zum,mehr dazu,\
    mehr themen,mehr über,mehr von,zum thema,das könnte,dazu passend,passend dazu,schon gelesen,\
    weitere themen,lire aussi,à lire,voir aussi,lea también,lee también,leer también,lee más,\
    leer más,vea también,ver también,te puede,le puede,puede interesarte,te recomendamos,\
    mira también,leia também,leia mais,veja também,leggi anche,leggi pure,czytaj także,czytaj też,\
    czytaj więcej,zobacz także,zobacz też,lees ook,läs också,läs mer,les også,læs også,lue myös,\
    читайте также,читайте ещё
    """.split(separator: ",")
      // Beyond ASCII a word is told from the same one in capitals.
      .flatMap { [String($0), $0.uppercased(), $0.capitalizedFirst] }
      .map { (key: pair(of: $0), value: ()) })

  private static func pair(of phrase: String) -> UInt64 {
    var hashes: [UInt64] = []
    Array(phrase.utf8).withUnsafeBufferPointer { bytes in
      bytes.forEachWord { word in
        if let word { hashes.append(Word(bytes[word]).hash) }
      }
    }
    return Echo.pair(hashes.first ?? 0, hashes.last ?? 0)
  }
}

extension Substring {
  /// With its first letter as a capital.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
