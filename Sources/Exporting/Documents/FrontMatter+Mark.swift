import Core

extension FrontMatter {
  /// The identity of a record's file: the record's type and id, and a digest of the written file.
  ///
  /// The digest is in the file itself, not in the store. It thus moves with the file to another
  /// folder or machine, and a file can be checked without a store.
  struct Mark {
    /// The relation of a file to its record.
    enum Standing {
      /// A file whose record has not changed since it was written.
      case same
      /// An unchanged file whose record has changed.
      case older
      /// A file that has changed as well as its record, or has no digest.
      case changed
    }

    private static let key = "exportDigest"

    /// The lines with the type, and the lines with the id, in the forms that the tool or an editor
    /// writes.
    private let types: Set<[UInt8]>
    private let ids: Set<[UInt8]>
    /// The file without its digest, as older versions wrote it.
    private let plain: [UInt8]
    /// The lines with the digest.
    private let digests: Set<[UInt8]>

    /// Creates the identity of a file.
    ///
    /// - Parameters:
    ///   - type: The record's type.
    ///   - id: The member that identifies the record among its type; without a value, only the same
    ///     text is the same record.
    ///   - plain: The whole file without its digest.
    ///   - digest: The SHA-256 of `plain`.
    init(type: String, id: (key: String, value: String?), plain: [UInt8], digest: String) {
      types = Self.forms("type", type)
      ids = id.value.map { Self.forms(id.key, $0) } ?? []
      digests = Self.forms(Self.key, Self.prefix + digest)
      self.plain = plain
    }

    /// Returns the relation of a file to the record; nil if it is not a file of the record.
    func standing(of file: [UInt8]) -> Standing? {
      // An older version wrote the same content without a digest.
      if file == plain { return .same }
      guard let block = Block(file) else { return nil }
      let isSame = !digests.isDisjoint(with: block.lines)
      let isOwn = ids.isEmpty ? isSame : !ids.isDisjoint(with: block.lines)
      guard isOwn, !types.isDisjoint(with: block.lines) else { return nil }
      if isSame { return .same }
      return block.isUntouched(file) ? .older : .changed
    }

    /// Returns the line with the digest, as it is written.
    static func line(_ digest: String) -> String { "\(key): \(prefix)\(digest)\n" }

    private static let prefix = "sha256-"

    private static func forms(_ key: String, _ value: String) -> Set<[UInt8]> {
      var forms = [FrontMatter.scalar(value)]
      // An editor that rewrites front matter may remove or change quotes.
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

  /// The front matter at the start of a file.
  private struct Block {
    /// The lines without their ends.
    private(set) var lines: Set<[UInt8]> = []
    /// The range of the last line with its end.
    private var last = 0..<0

    /// Returns nil if the file has no front matter, or if its end is missing.
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
      // The closing fence may be the last line, without a line end.
      guard !isFirst, file[start...].elementsEqual("---".utf8) else { return nil }
    }

    /// Returns `true` if the last line is the digest of the rest of the file, so that nobody
    /// changed it.
    func isUntouched(_ file: [UInt8]) -> Bool {
      let rest = Array(file[..<last.lowerBound] + file[last.upperBound...])
      return file[last].elementsEqual(Mark.line(SHA256Digest.hexadecimal(rest)).utf8)
    }
  }
}
