extension FrontMatter {
  /// What tells a file that holds a record from all other files: the record's type and id.
  struct Mark {
    /// The lines that say the type, and those that say the id, as we or an editor write them.
    private let types: Set<[UInt8]>
    private let ids: Set<[UInt8]>

    /// How many bytes of a file are looked at.
    static let reach = 1 << 16

    init(type: String, key: String, id: String) {
      types = Self.forms("type", type)
      ids = Self.forms(key, id)
    }

    /// Whether the file begins with front matter that has both, wherever in it and whatever a
    /// person has added.
    func isIn(_ file: [UInt8]) -> Bool {
      var lines = file.prefix(Self.reach)
        .split(separator: 0x0A, omittingEmptySubsequences: false).makeIterator()
      guard lines.next().map(Self.ended) == Array("---".utf8) else { return false }
      var (hasType, hasId) = (false, false)
      while !(hasType && hasId), let line = lines.next().map(Self.ended) {
        if line == Array("---".utf8) { return false }
        hasType = hasType || types.contains(line)
        hasId = hasId || ids.contains(line)
      }
      return hasType && hasId
    }

    private static func forms(_ key: String, _ value: String) -> Set<[UInt8]> {
      var forms = [FrontMatter.scalar(value)]
      // An editor that rewrites front matter drops quotes or takes others.
      if let first = value.first, first.isLetter || first.isNumber, value.utf8.allSatisfy(isSimple)
      {
        forms += [value, "'\(value)'", "\"\(value)\""]
      }
      return Set(forms.map { Array("\(key): \($0)".utf8) })
    }

    private static func isSimple(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-_./:+@%=&?~#,".utf8.contains(byte)
      }
    }

    private static func ended(_ line: ArraySlice<UInt8>) -> [UInt8] {
      line.last == 0x0D ? Array(line.dropLast()) : Array(line)
    }
  }
}
