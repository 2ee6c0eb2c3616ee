/// The blocks of linked data (JSON-LD) of a page, as flat arrays of values.
///
/// A reader that forgives what pages get wrong: comments and CDATA marks around and within,
/// trailing commas, line breaks and unescaped quotes in strings, brackets that are never closed.
/// No recursion; values deeper than 64 levels and more than 100,000 values are left out; numbers
/// are never computed. Time is linear in the bytes.
struct LinkedData {
  enum Kind: UInt8 {
    case object, array, string
    /// A number, `true`, `false`, `null`, or what stands in their place.
    case bare
  }

  /// A value; an object or an array has its members behind it.
  struct Value {
    var kind: Kind
    var parent: Int32
    var next: Int32 = -1
    var first: Int32 = -1
    var last: Int32 = -1
    /// The name of a member of an object, without quotes, as written; empty elsewhere.
    var key: Range<Int32>
    /// The bytes of a string without quotes, as written, and of a bare word.
    var text: Range<Int32>
  }

  /// The bytes of all blocks, one after the other.
  private(set) var bytes: [UInt8] = []
  private(set) var values: [Value] = []
  /// The outermost values.
  private(set) var roots: [Int32] = []

  /// Counts what is looked at.
  private let deadline: Deadline

  private static let maximumDepth = 64
  private static let maximumValues = 100_000

  /// Counts steps of reading the data; false once the time is over.
  func spend(_ count: Int) -> Bool { deadline.spend(count) }

  /// No linked data.
  init() { deadline = Deadline(seconds: .infinity) }

  /// Reads blocks.
  ///
  /// - Parameters:
  ///   - blocks: Where the blocks lie.
  ///   - input: Valid UTF-8.
  ///   - limits: The most bytes of all blocks.
  ///   - deadline: Counts the steps.
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
    /// The open objects and arrays; -1 for those that are left out.
    var open: [Int32] = []
    /// Open ones below the deepest that is kept.
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
          // A name without a value, or a value without one, is passed over.
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

  /// Closes the innermost open value of a kind and all in it; a bracket that closes nothing is
  /// passed over.
  private func close(_ kind: Kind, _ open: inout [Int32]) {
    guard let index = open.lastIndex(where: { values[Int($0)].kind == kind }) else { return }
    open.removeSubrange(index...)
  }

  /// Passes a string; a quote ends it when something follows that may follow a string.
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

  /// The next byte that is not white.
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
