import Core

extension FrontMatter {
  /// The identity of a record's file: the record's type and id, and a digest of the file's content
  /// as written.
  ///
  /// The content is the file without the digest and without the facts of one retrieval: the same
  /// page, fetched again, has the same content.
  /// The digest is in the file itself, not in the store. A file can therefore be checked even after
  /// it was moved to another folder or machine.
  struct Mark {
    /// The relation between a file and its record.
    enum Standing {
      /// The file was written for the present content of the record and has not been changed since.
      case same
      /// The file was written for the present content of the record, and was changed or has no
      /// digest.
      case edited
      /// The file was written for an earlier state of the record and has not been changed since.
      case older
      /// The file was written for an earlier state of the record, and was changed or has no digest.
      case changed
    }

    private static let key = "exportDigest"

    /// The forms that the line with the type, and the line with the id, may have.
    ///
    /// The tool and editors write these lines in different forms.
    private let types: Set<[UInt8]>
    private let ids: Set<[UInt8]>
    /// The bytes of the file without a digest, which is what older versions wrote.
    private let plain: [UInt8]
    /// The forms that the line with the digest may have.
    private let digests: Set<[UInt8]>
    private let digest: String

    /// Creates the identity of a file.
    ///
    /// - Parameters:
    ///   - type: The record's type.
    ///   - id: The member that identifies the record among the records of its type. If it has no
    ///     value, only a file with the same digest counts as a file of the record.
    ///   - plain: The whole file without its digest.
    ///   - digest: The SHA-256 of the file's content.
    init(type: String, id: (key: String, value: String?), plain: [UInt8], digest: String) {
      types = Self.forms("type", type)
      ids = id.value.map { Self.forms(id.key, $0) } ?? []
      digests = Self.forms(Self.key, Self.prefix + digest)
      self.digest = digest
      self.plain = plain
    }

    /// Returns the SHA-256 of the content of the given file, which has no digest.
    static func content(of plain: [UInt8]) -> String {
      SHA256Digest.hexadecimal(Block(plain)?.content(of: plain, hasDigest: false) ?? plain)
    }

    /// Returns the relation between the given file and the record; nil if the file is another
    /// record's.
    func standing(of file: [UInt8]) -> Standing? {
      // An older version wrote the same content without a digest.
      if file == plain { return .edited }
      guard let block = Block(file) else { return nil }
      let isSame = !digests.isDisjoint(with: block.lines)
      let isOwn = ids.isEmpty ? isSame : !ids.isDisjoint(with: block.lines)
      guard isOwn, !types.isDisjoint(with: block.lines) else { return nil }
      guard block.isUntouched(file) else { return isSame ? .edited : .changed }
      // The digest of an earlier version covered the facts of the retrieval too.
      return isSame || block.digest(of: file) == digest ? .same : .older
    }

    /// Returns the line with the given digest, in the form that the tool writes.
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

  /// The block of front matter at the start of a file.
  private struct Block {
    /// The lines of the block, without line ends.
    private(set) var lines: Set<[UInt8]> = []
    /// The ranges of the lines with facts of one retrieval, including their line ends.
    private var passing: [Range<Int>] = []
    /// The range of the block's last line, including its line end.
    private var last = 0..<0

    /// Parses the front matter of the given file; nil if there is none or it does not end.
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
          if Self.retrieval.contains(where: { line.starts(with: $0) }) { passing.append(last) }
        }
        (start, isFirst) = (end + 1, false)
      }
      // The closing fence may be the last line, without a line end.
      guard !isFirst, file[start...].elementsEqual("---".utf8) else { return nil }
    }

    /// Returns `true` if the given file is unchanged.
    ///
    /// It is if the last line of its front matter contains the digest of its content. Earlier
    /// versions wrote the digest of the rest of the file.
    func isUntouched(_ file: [UInt8]) -> Bool {
      let rest = Array(file[..<last.lowerBound] + file[last.upperBound...])
      return [digest(of: file), SHA256Digest.hexadecimal(rest)].contains { digest in
        file[last].elementsEqual(Mark.line(digest).utf8)
      }
    }

    /// Returns the SHA-256 of the content of the given file, whose last line is its digest.
    func digest(of file: [UInt8]) -> String {
      SHA256Digest.hexadecimal(content(of: file, hasDigest: true))
    }

    /// Returns the given file without the facts of its retrieval, and without its digest.
    func content(of file: [UInt8], hasDigest: Bool) -> [UInt8] {
      var content: [UInt8] = []
      var start = 0
      for line in passing + (hasDigest ? [last] : []) where line.lowerBound >= start {
        content += file[start..<line.lowerBound]
        start = line.upperBound
      }
      return content + file[start...]
    }

    /// The starts of the lines that can change although the page has not: the time of the
    /// retrieval, and the size and the digest of the body, in which a server may count its answers.
    private static let retrieval = ["fetchedAt:", "bytes:", "sha256:"].map { Array($0.utf8) }
  }
}
