import Core

extension FrontMatter {
  /// What tells a file that holds a record from all other files: the record's type and id, and a
  /// digest of what was written.
  ///
  /// The digest is in the file itself, not in the store: so it goes with the file to another folder
  /// or machine, and a file is judged where there is no store.
  struct Mark {
    /// How a file stands to the record that it holds.
    enum Standing {
      /// The record is as it was when the file was written.
      case same
      /// The record has changed since, the file has not.
      case older
      /// Both have changed, or of the file it is not known.
      case changed
    }

    private static let key = "exportDigest"

    /// The lines that say the type, and those that say the id, as we or an editor write them.
    private let types: Set<[UInt8]>
    private let ids: Set<[UInt8]>
    /// What the file would be without its digest, as it was written before digests were kept.
    private let plain: [UInt8]
    /// The lines that say the digest.
    private let digests: Set<[UInt8]>

    /// Marks a file.
    ///
    /// - Parameters:
    ///   - type: The record's type.
    ///   - id: The member that tells it from all others of its type; without a value, only the same
    ///     text is the same record.
    ///   - plain: The whole file, but for the digest.
    ///   - digest: The SHA-256 of that.
    init(type: String, id: (key: String, value: String?), plain: [UInt8], digest: String) {
      types = Self.forms("type", type)
      ids = id.value.map { Self.forms(id.key, $0) } ?? []
      digests = Self.forms(Self.key, Self.prefix + digest)
      self.plain = plain
    }

    /// How the file stands to the record; nil when it is no file of the record.
    func standing(of file: [UInt8]) -> Standing? {
      // No digest was kept then, but this is what would have been written.
      if file == plain { return .same }
      guard let block = Block(file) else { return nil }
      let isSame = !digests.isDisjoint(with: block.lines)
      let isOwn = ids.isEmpty ? isSame : !ids.isDisjoint(with: block.lines)
      guard isOwn, !types.isDisjoint(with: block.lines) else { return nil }
      if isSame { return .same }
      return block.isUntouched(file) ? .older : .changed
    }

    /// The line that says the digest, as it is written.
    static func line(_ digest: String) -> String { "\(key): \(prefix)\(digest)\n" }

    private static let prefix = "sha256-"

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
  }

  /// The front matter that a file begins with.
  private struct Block {
    /// Its lines, without their ends.
    private(set) var lines: Set<[UInt8]> = []
    /// Where its last line is, with its end.
    private var last = 0..<0

    /// Nil when the file does not begin with front matter, or when that has no end.
    init?(_ file: [UInt8]) {
      var (start, isFirst) = (0, true)
      while let end = file[start...].firstIndex(of: 0x0A) {
        let isEnded = end > start && file[end - 1] == 0x0D
        let line = file[start..<(isEnded ? end - 1 : end)]
        let isFence = line.elementsEqual("---".utf8)
        if isFirst {
          guard isFence else { return nil }
        } else if isFence {
          return
        } else {
          lines.insert(Array(line))
          last = start..<(end + 1)
        }
        (start, isFirst) = (end + 1, false)
      }
      // The fence may be the last line, without an end.
      guard !isFirst, file[start...].elementsEqual("---".utf8) else { return nil }
    }

    /// Whether the last line says the digest of all else in the file, which is as it was written.
    func isUntouched(_ file: [UInt8]) -> Bool {
      let rest = Array(file[..<last.lowerBound] + file[last.upperBound...])
      return file[last].elementsEqual(Mark.line(SHA256Digest.hexadecimal(rest)).utf8)
    }
  }
}
