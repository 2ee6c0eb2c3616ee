/// Finds where Markdown links lead, as far as it takes to see a link that should not be there.
///
/// Fenced blocks, indented ones and code between backticks hold no links; a bracket behind a
/// backslash begins none (CommonMark 0.31, sections 4.5, 6.1, 6.3, 6.5).
enum MarkdownTargets {
  static func targets(in markdown: String) -> [String] {
    var targets: [String] = []
    var paragraph: [UInt8] = []
    var fence: (byte: UInt8, count: Int)?
    func end() {
      targets += inline(paragraph)
      paragraph = []
    }
    for line in markdown.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let content = unquoted(line)
      let mark = fenceMark(content)
      if let open = fence {
        let isEnd = mark.map {
          $0.byte == open.byte && $0.count >= open.count && $0.isBare
        }
        if isEnd ?? false { fence = nil }
      } else if let mark, mark.byte == 0x7E || !mark.hasBacktick {
        end()
        fence = (mark.byte, mark.count)
      } else if content.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        end()
      } else {
        paragraph += content + [0x0A]
      }
    }
    end()
    return targets
  }

  /// The line without the marks of quotations and list items.
  private static func unquoted(_ line: Substring.UTF8View) -> [UInt8] {
    var rest = Array(line)[...]
    while true {
      let start = rest.drop { $0 == 0x20 }
      guard let first = start.first else { return [] }
      let digits = start.prefix { (0x30...0x39).contains($0) }.count
      if first == UInt8(ascii: ">") {
        rest = start.dropFirst()
      } else if [0x2D, 0x2A, 0x2B].contains(first), start.dropFirst().first == 0x20 {
        rest = start.dropFirst(2)
      } else if (1...9).contains(digits), [0x2E, 0x29].contains(start.dropFirst(digits).first) {
        rest = start.dropFirst(digits + 1)
      } else {
        return Array(start)
      }
    }
  }

  private static func fenceMark(
    _ line: [UInt8]
  ) -> (byte: UInt8, count: Int, isBare: Bool, hasBacktick: Bool)? {
    guard let byte = line.first, byte == 0x60 || byte == 0x7E else { return nil }
    let count = line.prefix { $0 == byte }.count
    guard count >= 3 else { return nil }
    let rest = line[count...]
    return (byte, count, rest.allSatisfy { $0 == 0x20 || $0 == 0x09 }, rest.contains(0x60))
  }

  private static func inline(_ text: [UInt8]) -> [String] {
    var targets: [String] = []
    var index = 0
    while index < text.count {
      switch text[index] {
      case 0x5C: index += 2
      case 0x60:
        let count = text[index...].prefix { $0 == 0x60 }.count
        index = endOfCode(text, index + count, count) ?? index + count
      case 0x5D where index + 1 < text.count && text[index + 1] == 0x28:
        targets.append(target(text, index + 2))
        // What stands in angle brackets there is no link of its own.
        index += index + 2 < text.count && text[index + 2] == 0x3C ? 3 : 2
      case 0x3C:
        if let target = autolink(text, index + 1) { targets.append(target) }
        index += 1
      default: index += 1
      }
    }
    return targets
  }

  private static func endOfCode(_ text: [UInt8], _ start: Int, _ count: Int) -> Int? {
    var index = start
    while index < text.count {
      let run = text[index...].prefix { $0 == 0x60 }.count
      if run == count { return index + run }
      index += max(run, 1)
    }
    return nil
  }

  private static func target(_ text: [UInt8], _ start: Int) -> String {
    let rest = text[start...].drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x3C }
    let target = rest.prefix { $0 != 0x20 && $0 != 0x0A && $0 != 0x29 && $0 != 0x3E }
    return String(decoding: target, as: UTF8.self)
  }

  /// The address between angle brackets; other text there would be HTML.
  private static func autolink(_ text: [UInt8], _ start: Int) -> String? {
    guard let first = text[start...].first,
      (0x41...0x5A).contains(first & 0xDF) || first == 0x2F || first == 0x21 || first == 0x3F
    else { return nil }
    let target = text[start...].prefix { $0 != 0x3E && $0 != 0x20 && $0 != 0x0A }
    let text = String(decoding: target, as: UTF8.self)
    return ["br", "br/"].contains(text) ? nil : text
  }
}
