/// The blocks of linked data (JSON-LD) of a page, as flat arrays of values.
///
/// The parser accepts errors that are common on pages: comments and CDATA marks, trailing commas,
/// line breaks and unescaped quotes in strings, and unclosed brackets. It uses no recursion. Values
/// nested deeper than 64 levels, and all values after the first 100,000, are dropped. Numbers are
/// not parsed. The running time is linear in the number of bytes.
struct LinkedData {
  enum Kind: UInt8 {
    case object, array, string
    /// A number, `true`, `false`, `null`, or an invalid word.
    case bare
  }

  /// A value.
  ///
  /// The members of an object or array follow it.
  struct Value {
    var kind: Kind
    var parent: Int32
    var next: Int32 = -1
    var first: Int32 = -1
    var last: Int32 = -1
    /// The range of the member's name as written, without quotes.
    ///
    /// It is empty if the value is not in an object.
    var key: Range<Int32>
    /// The range of the string or bare word as written, without quotes.
    var text: Range<Int32>
  }

  /// The bytes of all blocks, joined.
  private(set) var bytes: [UInt8] = []
  private(set) var values: [Value] = []
  /// The indices of the outermost values.
  private(set) var roots: [Int32] = []

  /// The step counter of the extraction.
  private let deadline: Deadline

  private static let maximumDepth = 64
  private static let maximumValues = 100_000

  /// Counts the given number of steps.
  ///
  /// - Returns: `false` if the deadline has passed.
  func spend(_ count: Int) -> Bool { deadline.spend(count) }

  /// Creates empty linked data.
  init() { deadline = Deadline(seconds: .infinity) }

  /// Parses the given blocks of linked data.
  ///
  /// - Parameters:
  ///   - blocks: The ranges of the blocks in the input.
  ///   - input: Valid UTF-8.
  ///   - limits: The limits on the blocks.
  ///   - deadline: The step counter.
  init(
    _ blocks: [Range<Int>], of input: [UInt8], limits: ReadLimits,
    deadline: Deadline = Deadline(seconds: .infinity)
  ) {
    self.deadline = deadline
    for block in blocks where bytes.count + block.count <= limits.linkedDataBytes {
      let start = bytes.count
      deadline.spend(block.count)
      bytes.append(contentsOf: input[block])
      read(from: start)
    }
  }

  private mutating func read(from start: Int) {
    /// The indices of the open objects and arrays; -1 for a value that was dropped.
    var open: [Int32] = []
    /// The number of open values that exceed the maximum depth.
    var tooDeep = 0
    var key: Range<Int32>?
    var at = start
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        at += 1
        guard tooDeep == 0, open.count < Self.maximumDepth,
          let value = append(
            byte == UInt8(ascii: "{") ? .object : .array, 0..<0, to: open.last, &key)
        else {
          tooDeep += 1
          continue
        }
        open.append(value)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        at += 1
        key = nil
        if tooDeep > 0 {
          tooDeep -= 1
        } else {
          close(byte == UInt8(ascii: "}") ? .object : .array, &open)
        }
      case UInt8(ascii: ","):
        at += 1
        key = nil
      case UInt8(ascii: "\""):
        let text = string(&at)
        guard tooDeep == 0 else { continue }
        if let last = open.last, values[Int(last)].kind == .object, key == nil {
          // A name without a value, or a value without a name, is skipped.
          if next(at) == UInt8(ascii: ":") { key = text }
        } else {
          _ = append(.string, text, to: open.last, &key)
        }
      case UInt8(ascii: "/"): skipComment(&at)
      case _ where isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-"):
        let text = bare(&at)
        if tooDeep == 0, let last = open.last, key != nil || values[Int(last)].kind == .array {
          _ = append(.bare, text, to: last, &key)
        }
      default: at += 1
      }
    }
  }

  private mutating func append(
    _ kind: Kind, _ text: Range<Int32>, to parent: Int32?, _ key: inout Range<Int32>?
  ) -> Int32? {
    guard values.count < Self.maximumValues else { return nil }
    let index = Int32(values.count)
    values.append(Value(kind: kind, parent: parent ?? -1, key: key ?? 0..<0, text: text))
    key = nil
    guard let parent else {
      roots.append(index)
      return index
    }
    let last = values[Int(parent)].last
    if last >= 0 { values[Int(last)].next = index } else { values[Int(parent)].first = index }
    values[Int(parent)].last = index
    return index
  }

  /// Closes the innermost open value of the given kind, and all values in it.
  ///
  /// If there is no such value, the bracket is ignored.
  private func close(_ kind: Kind, _ open: inout [Int32]) {
    guard let index = open.lastIndex(where: { values[Int($0)].kind == kind }) else { return }
    open.removeSubrange(index...)
  }

  /// Skips a string and returns its range.
  ///
  /// A quote ends the string only if a valid token follows.
  private func string(_ at: inout Int) -> Range<Int32> {
    at += 1
    let start = at
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\"): at += 2
      case UInt8(ascii: "\""):
        let end = at
        at += 1
        switch next(at) {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"),
          UInt8(ascii: "/"), nil:
          return Int32(start)..<Int32(end)
        default: continue
        }
      default: at += 1
      }
    }
    at = bytes.count
    return Int32(min(start, at))..<Int32(at)
  }

  /// Returns the first byte at or after the given index that is not white space.
  private func next(_ at: Int) -> UInt8? {
    var at = at
    while at < bytes.count, isSpace(bytes[at]) {
      at += 1
      deadline.spend(1)
    }
    return at < bytes.count ? bytes[at] : nil
  }

  private func bare(_ at: inout Int) -> Range<Int32> {
    let start = at
    while at < bytes.count,
      isLetter(bytes[at]) || isDigit(bytes[at]) || "+-._".utf8.contains(bytes[at])
    {
      at += 1
    }
    return Int32(start)..<Int32(at)
  }

  private func skipComment(_ at: inout Int) {
    let second = at + 1 < bytes.count ? bytes[at + 1] : 0
    at += 1
    if second == UInt8(ascii: "/") {
      at = bytes[at...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    } else if second == UInt8(ascii: "*") {
      at += 1
      while at < bytes.count {
        guard let star = bytes[at...].firstIndex(of: UInt8(ascii: "*")) else {
          at = bytes.count
          return
        }
        at = star + 1
        guard at < bytes.count, bytes[at] == UInt8(ascii: "/") else { continue }
        at += 1
        return
      }
    }
  }
}
