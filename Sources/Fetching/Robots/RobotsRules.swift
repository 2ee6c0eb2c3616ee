import Core

/// The rules that a robots.txt contains for one crawler (RFC 9309).
struct RobotsRules: Sendable, Hashable {
  /// One `allow` or `disallow` line.
  struct Rule: Sendable, Hashable {
    var isAllowed: Bool
    /// The path pattern, with normalised percent-encoding.
    var pattern: [UInt8]
  }

  private(set) var rules: [Rule] = []
  /// The value of `crawl-delay` in seconds.
  ///
  /// The field is not part of the RFC.
  private(set) var crawlDelay: Double?

  /// The maximum number of bytes of a file that are read.
  ///
  /// The RFC requires at least 500 KiB.
  static let maximumBytes = 512 << 10
  /// The maximum number of bytes of a pattern, which equals that of a URL.
  ///
  /// A longer pattern matches nothing.
  private static let maximumPatternBytes = 8192
  /// The maximum number of comparisons for one path.
  ///
  /// A path that needs more is not allowed.
  private static let maximumSteps = 2_000_000

  /// Rules that allow everything.
  static let allowAll = RobotsRules()

  private init() {}

  /// Creates the rules from the groups that name the given product.
  ///
  /// If there are none, the groups for `*` are used.
  ///
  /// - Parameters:
  ///   - body: The file, which is read up to the last whole line within ``maximumBytes``.
  ///   - product: The crawler's name, without a version.
  init(_ body: [UInt8], product: String) {
    var own = RobotsRules()
    var general = RobotsRules()
    var hasOwnGroup = false
    var isOwn = false
    var isGeneral = false
    var isInNames = false
    for line in Self.lines(of: body) {
      guard let (name, value) = Self.member(line) else { continue }
      switch name {
      case "user-agent":
        if !isInNames { (isOwn, isGeneral, isInNames) = (false, false, true) }
        if value.elementsEqual([UInt8(ascii: "*")]) {
          isGeneral = true
        } else if Self.token(value) == product.lowercased() {
          (isOwn, hasOwnGroup) = (true, true)
        }
      case "allow", "disallow", "crawl-delay":
        // Only rules end a list of names; lines that are not part of the RFC have no effect on the
        // list.
        if name != "crawl-delay" { isInNames = false }
        if isOwn { own.add(name, value) }
        if isGeneral { general.add(name, value) }
      default: break
      }
    }
    self = hasOwnGroup ? own : general
  }

  /// Returns `true` if the given path, including its query, is allowed.
  ///
  /// The longest matching pattern decides. If two are equally long, `allow` wins over `disallow`.
  func allows(_ path: String) -> Bool {
    let path = Self.normalised(path.utf8, isPattern: false)
    guard !path.elementsEqual("/robots.txt".utf8) else { return true }
    var longest = -1
    var isAllowed = true
    var steps = Self.maximumSteps
    for rule in rules where rule.pattern.count >= longest {
      guard rule.pattern.count > longest || (rule.isAllowed && !isAllowed),
        Self.matches(path, rule.pattern, steps: &steps)
      else { continue }
      longest = rule.pattern.count
      isAllowed = rule.isAllowed
    }
    return isAllowed && steps > 0
  }

  private mutating func add(_ name: String, _ value: ArraySlice<UInt8>) {
    guard name != "crawl-delay" else {
      let delay = Double(String(decoding: value, as: UTF8.self))
      if let delay, delay.isFinite, delay >= 0 { crawlDelay = max(crawlDelay ?? 0, delay) }
      return
    }
    // An empty pattern matches nothing: `Disallow:` allows everything.
    guard let first = value.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "*"),
      value.count <= Self.maximumPatternBytes
    else { return }
    rules.append(Rule(isAllowed: name == "allow", pattern: Self.normalised(value, isPattern: true)))
  }

  // MARK: Lines

  private static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
    var rest = body.prefix(maximumBytes)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    if body.count > maximumBytes {
      rest = rest[..<(rest.lastIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.startIndex)]
    }
    return rest.split { $0 == 0x0A || $0 == 0x0D }
  }

  /// Returns the name, in lower case, and the value of the given line.
  ///
  /// A comment is left out.
  private static func member(
    _ line: ArraySlice<UInt8>
  ) -> (name: String, value: ArraySlice<UInt8>)? {
    let line = line.prefix { $0 != UInt8(ascii: "#") }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = trimmed(line[..<colon])
    guard name.count <= 20 else { return nil }
    return (
      String(decoding: name, as: UTF8.self).lowercased(), trimmed(line[(colon + 1)...])
    )
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    let end = start.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? start.startIndex
    return start[..<end]
  }

  /// Returns the product token at the start of the given name.
  ///
  /// For `ExampleBot/1.0`, it is `ExampleBot`.
  private static func token(_ value: ArraySlice<UInt8>) -> String {
    let letters = value.prefix {
      $0.isLetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    return String(decoding: letters, as: UTF8.self).lowercased()
  }

  // MARK: Patterns

  /// Returns `true` if the given pattern matches at the start of the given path.
  ///
  /// A star matches any bytes, and a dollar sign at the end matches the end of the path. The
  /// running time is at most proportional to the product of both lengths. `steps` is the number of
  /// comparisons that are left. If it is 0, nothing matches.
  static func matches(_ path: [UInt8], _ pattern: [UInt8], steps: inout Int) -> Bool {
    let isAnchored = pattern.last == UInt8(ascii: "$")
    let wanted = isAnchored ? pattern.dropLast() : pattern[...]
    var at = 0
    var index = wanted.startIndex
    // The positions to retry from if the last `*` has matched too few bytes.
    var afterStar: (pattern: Int, path: Int)?
    while steps > 0 {
      steps -= 1
      if index == wanted.endIndex {
        if !isAnchored || at == path.count { return true }
      } else if wanted[index] == UInt8(ascii: "*") {
        index += 1
        afterStar = (index, at)
        continue
      } else if at < path.count, wanted[index] == path[at] {
        index += 1
        at += 1
        continue
      }
      guard let star = afterStar, star.path < path.count else { return false }
      afterStar = (star.pattern, star.path + 1)
      (index, at) = (star.pattern, star.path + 1)
    }
    return false
  }

  /// Returns the given path or pattern in normal form for comparison.
  ///
  /// Bytes outside ASCII are encoded. Encoded letters, digits and `-._~` are decoded; in a query,
  /// `:` and `/` are decoded, too. All other encodings are in upper case. In a path, literal `*`
  /// and `$` are encoded. In a pattern, a `$` is encoded unless it is at the end.
  static func normalised(_ text: some Collection<UInt8>, isPattern: Bool) -> [UInt8] {
    let bytes = Array(text)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isInQuery = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
      {
        let value = high << 4 | low
        let isPlain = isUnreserved(value) || (isInQuery && ":/".utf8.contains(value))
        if isPlain { result.append(value) } else { result += encoded(value) }
        index += 3
        continue
      }
      index += 1
      let isMark = byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$")
      let isSpecial =
        isMark && isPattern && (byte == UInt8(ascii: "*") || index == bytes.count)
      if byte == UInt8(ascii: "?") { isInQuery = true }
      if byte >= 0x80 || byte <= 0x20 || (isMark && !isSpecial) {
        result += encoded(byte)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
  }

  private static func encoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
