/// The answers in a line that is no valid message, for example because it is nested too deeply.
///
/// Only names and ids at the top are read, so the depth of the line does not matter.
struct UnreadableAnswers {
  /// The members at the top of one message.
  private struct Members {
    var id: Int?
    var hasVersion = false
    var isRequest = false
  }

  /// The ids of the answers, in the order of the line.
  private(set) var ids: [Int] = []
  private var members = Members()

  /// Reads the given line.
  init(_ line: [UInt8]) {
    var (at, depth, top) = (0, 0, 1)
    while at < line.count {
      switch line[at] {
      case UInt8(ascii: "\""):
        let end = Self.end(ofStringFrom: at + 1, in: line)
        if depth == top { read(line[(at + 1)..<end], before: line[min(end + 1, line.count)...]) }
        at = end
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        // The messages of a batch are one level deeper.
        if depth == 0, line[at] == UInt8(ascii: "[") { top = 2 }
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == top { endMessage() }
        depth -= 1
      default: break
      }
      at += 1
    }
    endMessage()
  }

  /// Returns the index of the quotation mark that ends a string, or of the end of the line.
  private static func end(ofStringFrom start: Int, in line: [UInt8]) -> Int {
    var at = start
    while at < line.count, line[at] != UInt8(ascii: "\"") {
      at += line[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(at, line.count)
  }

  /// Reads a string at the top of a message; it is a name if a colon follows.
  private mutating func read(_ text: ArraySlice<UInt8>, before rest: ArraySlice<UInt8>) {
    let rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.first == UInt8(ascii: ":") else { return }
    switch String(decoding: text, as: UTF8.self) {
    case "id":
      let digits = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      members.id = Int(String(decoding: digits, as: UTF8.self))
    case "jsonrpc": members.hasVersion = true
    case "method": members.isRequest = true
    default: break
    }
  }

  private mutating func endMessage() {
    if let id = members.id, members.hasVersion, !members.isRequest { ids.append(id) }
    members = Members()
  }
}
