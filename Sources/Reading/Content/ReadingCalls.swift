/// The phrases, such as `READ MORE`, at the start of lines that link to another story.
enum ReadingCalls {
  /// The maximum number of words of such a line.
  private static let most: Int32 = 30

  /// Returns `true` if the given block begins with such a phrase and consists largely of links.
  ///
  /// At least a third of its words must be in links.
  static func contains(_ block: Block) -> Bool {
    block.words > 2 && block.words <= most && block.linkWords * 3 >= block.words && leads(block)
  }

  /// Returns `true` if the given block begins with such a phrase.
  static func leads(_ block: Block) -> Bool { firsts[block.firstPair] != nil }

  /// The first two words of each phrase, in several languages, by the hash of the pair.
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
      // Words are lower-cased only in ASCII, so forms with capitals are listed as well.
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
  /// The string with a capital as its first letter.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
