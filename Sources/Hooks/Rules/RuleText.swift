import Core

/// A text of a request that an `allow` rule compares with its pattern.
///
/// Some characters are bound: the pattern must contain them, because no wildcard stands for them.
struct RuleText: Sendable {
  private let scalars: [Unicode.Scalar]
  private var isBound: [Bool]

  /// Creates a text without bound characters.
  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    isBound = Array(repeating: false, count: scalars.count)
  }

  /// Binds the characters at the given places.
  mutating func bind(_ places: Range<Int>) {
    for place in places { isBound[place] = true }
  }

  /// Returns `true` if the given pattern matches the whole text.
  func isCovered(by pattern: [Unicode.Scalar]) -> Bool {
    // The places of the pattern that the text so far may have reached.
    var reached = Array(repeating: false, count: pattern.count + 1)
    reached[0] = true
    Self.passStars(of: pattern, &reached)
    var next = reached
    for (scalar, isBound) in zip(scalars, isBound) {
      for at in next.indices { next[at] = false }
      for at in pattern.indices where reached[at] {
        switch pattern[at] {
        case "*": next[at] = next[at] || !isBound
        case "?": next[at + 1] = !isBound
        default: next[at + 1] = pattern[at] == scalar
        }
      }
      guard next.contains(true) else { return false }
      Self.passStars(of: pattern, &next)
      swap(&reached, &next)
    }
    return reached[pattern.count]
  }

  private static func passStars(of pattern: [Unicode.Scalar], _ reached: inout [Bool]) {
    for at in pattern.indices where reached[at] && pattern[at] == "*" { reached[at + 1] = true }
  }
}

// MARK: Arguments and addresses

extension RuleText {
  /// Creates the text of arguments, in which a wildcard stays inside one value.
  ///
  /// - Parameter json: The arguments as JSON.
  /// - Returns: nil if programs read an address in the arguments in different ways.
  static func arguments(_ json: String) -> RuleText? {
    var text = RuleText(json)
    var start: Int?
    var place = 0
    while place < text.scalars.count {
      let scalar = text.scalars[place]
      if let first = start {
        if scalar == "\"" {
          guard text.bindAddress(in: first..<place) else { return nil }
          text.bind(place..<place + 1)
          start = nil
        } else if scalar == "\\" {
          place += 1
        }
      } else if "{}[],:\"".unicodeScalars.contains(scalar) {
        text.bind(place..<place + 1)
        if scalar == "\"" { start = place + 1 }
      }
      place += 1
    }
    return text
  }

  /// Creates the text of an address, in which a wildcard before the path stays inside the host.
  ///
  /// - Returns: nil if programs read the address in different ways.
  static func address(_ address: String) -> RuleText? {
    var text = RuleText(address)
    let all = text.scalars
    guard let colon = text.scheme(in: all.indices), colon == text.mark(in: all.indices),
      text.bindAddress(in: all.indices)
    else { return nil }
    return text
  }

  /// Creates a text that may contain addresses.
  ///
  /// - Returns: nil if programs read an address in the text in different ways.
  static func prompt(_ prompt: String) -> RuleText? {
    var text = RuleText(prompt)
    let all = text.scalars
    var start = 0
    while let colon = text.mark(in: start..<all.count) {
      let end = all[colon...].firstIndex { $0.properties.isWhitespace } ?? all.count
      guard text.bindHost(at: colon, in: colon..<end) else { return nil }
      start = colon + 3
    }
    return text
  }

  /// Returns the place of the first `://`.
  private func mark(in places: Range<Int>) -> Int? {
    places.dropLast(2).first { scalars[$0...($0 + 2)].elementsEqual("://".unicodeScalars) }
  }

  /// Returns the place behind the scheme with which the given places begin.
  private func scheme(in places: Range<Int>) -> Int? {
    let end = places.first { !Self.isPlain(scalars[$0]) && scalars[$0] != "+" }
    return end == places.lowerBound ? nil : end
  }

  /// Binds the parts of an address, if the given places are one.
  ///
  /// - Returns: `false` if programs read the address in different ways.
  private mutating func bindAddress(in places: Range<Int>) -> Bool {
    guard let colon = mark(in: places) else { return true }
    guard scheme(in: places) == colon else {
      // Some programs remove white space, which JSON escapes, before an address.
      let first = scalars[places.lowerBound]
      return !(first.properties.isWhitespace || first == "\\" || first.value < 32)
    }
    return bindHost(at: colon, in: places)
  }

  /// Binds the parts of an address up to its path.
  private mutating func bindHost(at colon: Int, in places: Range<Int>) -> Bool {
    let rest = (colon + 3)..<places.upperBound
    let end = rest.first { "/?#".unicodeScalars.contains(scalars[$0]) } ?? rest.upperBound
    let host = scalars[rest.lowerBound..<end]
    let name = host.prefix { $0 != ":" }
    let isBracketed =
      host.first == "[" && host.last == "]"
      && host.dropFirst().dropLast().allSatisfy { $0 == ":" || Self.isPlain($0) }
    let isNamed =
      !name.isEmpty && name.allSatisfy(Self.isPlain)
      && host.dropFirst(name.count + 1).allSatisfy { ("0"..."9").contains($0) }
    guard isBracketed || isNamed, Self.isPlainPath(scalars[end..<rest.upperBound]) else {
      return false
    }
    bind(colon..<colon + 3)
    if !isBracketed, name.count < host.count { bind(name.endIndex..<name.endIndex + 1) }
    if end < rest.upperBound { bind(end..<end + 1) }
    return true
  }

  /// Returns `true` for a letter, a digit, `-`, `.` and `_`.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      || "-._".unicodeScalars.contains(scalar)
  }

  /// Returns `true` if the given end of an address leaves no folder, and all programs read it in the
  /// same way.
  private static func isPlainPath(_ path: ArraySlice<Unicode.Scalar>) -> Bool {
    let isReadable = path.allSatisfy {
      $0 != "\\" && $0.value > 32 && !$0.properties.isWhitespace
    }
    let plain = String(String.UnicodeScalarView(path)).lowercased().replacing("%2e", with: ".")
    return isReadable
      && !plain.unicodeScalars.split { "/?#".unicodeScalars.contains($0) }
        .contains { $0.elementsEqual("..".unicodeScalars) }
  }
}
