/// The kinds of targets that a page's links have, judged by their addresses.
///
/// The words in addresses are much the same in all languages, such as `/tag/` for a tag page.
struct LinkTargets {
  /// For each node, the target of the link around it; 0 outside of links.
  ///
  /// It is a mask of ``CueWords/addresses`` and the following bits.
  private(set) var masks: [UInt32]

  /// The number of bits in a mask.
  static let count = CueWords.addressGroups + 6
  /// The bits for targets that no word describes.
  ///
  /// They are another page of the site, another site, the same page, an address that several links
  /// of the page have, a site's front page, and a script.
  static let sameSite: UInt32 = 1 << UInt32(CueWords.addressGroups)
  private static let otherSite = sameSite << 1
  static let samePage = sameSite << 2
  private static let repeated = sameSite << 3
  private static let top = sameSite << 4
  private static let nowhere = sameSite << 5

  /// The bit for documents to download, such as PDF files.
  static let file: UInt32 = 1 << 11
  /// The bits for pages about a topic, an author or a service of the site, and for sharing.
  static let service: UInt32 = 0x1FF

  /// The maximum number of bytes of an address that are examined.
  private static let most = 300

  init(_ tree: NodeTree, host: [UInt8], _ deadline: Deadline) {
    masks = [UInt32](repeating: 0, count: tree.nodes.count)
    deadline.spend(masks.count)
    // The first link to each address. When a later link repeats the address, the texts directly
    // inside the first link are marked.
    var firsts = HashTable<Int>()
    for index in tree.nodes.indices.dropFirst() {
      let node = tree.nodes[index]
      masks[index] = masks[Int(node.parent)]
      guard node.tag == .a else { continue }
      var mask: UInt32 = 0
      var hasAddress = false
      for value in tree.attributes[Int(node.start)..<Int(node.start + node.count)] {
        let bytes = tree.text[Int(value.start)..<Int(value.start + value.count)].prefix(Self.most)
        switch value.attribute {
        case .href:
          deadline.spend(bytes.count)
          hasAddress = true
          mask |= Self.mask(bytes, host: host)
          let hash = NameHash.of(bytes)
          if let first = firsts[hash] {
            mask |= Self.repeated
            masks[first] |= Self.repeated
          } else {
            firsts.set(hash, index)
          }
        case .rel:
          deadline.spend(bytes.count)
          mask |= CueWords.addresses.cues(inName: bytes)
        default: continue
        }
      }
      masks[index] = hasAddress ? mask : mask | Self.nowhere
    }
  }

  /// Returns the mask of the given address.
  private static func mask(_ address: ArraySlice<UInt8>, host: [UInt8]) -> UInt32 {
    let mask = CueWords.addresses.cues(inName: address)
    let bytes = address.trimmedSpace
    guard let first = bytes.first else { return mask | nowhere }
    if first == UInt8(ascii: "#") { return mask | samePage }
    var path = bytes
    if let scheme = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[..<scheme].allSatisfy(isLetter)
    {
      guard bytes[scheme...].starts(with: "://".utf8) else { return mask | nowhere }
      path = bytes[(scheme + 3)...]
    } else if bytes.starts(with: "//".utf8) {
      path = bytes.dropFirst(2)
    } else {
      return mask | sameSite | (bytes.count == 1 ? top : 0)
    }
    let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
    let isTop = path.endIndex - end <= 1
    return mask | (host.elementsEqual(path[..<end]) ? sameSite : otherSite) | (isTop ? top : 0)
  }
}
