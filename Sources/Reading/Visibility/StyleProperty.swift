/// The CSS properties that can hide text.
enum StyleProperty: Int, CaseIterable {
  case display, visibility, opacity, fontSize, position, left, right, top, bottom, textIndent
  case marginLeft, marginTop, clip, width, height, maxWidth, maxHeight, overflow, transform
  case color, background

  private static let byHash: NameTable<StyleProperty> = {
    let names: [(String, StyleProperty)] = [
      ("display", .display), ("visibility", .visibility), ("opacity", .opacity),
      ("font-size", .fontSize), ("position", .position), ("left", .left), ("right", .right),
      ("top", .top), ("bottom", .bottom), ("text-indent", .textIndent),
      ("margin-left", .marginLeft), ("margin-top", .marginTop), ("clip", .clip),
      ("clip-path", .clip), ("width", .width), ("height", .height), ("max-width", .maxWidth),
      ("max-height", .maxHeight), ("overflow", .overflow), ("transform", .transform),
      ("color", .color), ("background", .background), ("background-color", .background),
    ]
    return NameTable(names.map { (NameHash.of($0.0.utf8), $0.1) })
  }()

  /// Returns the property whose lower-case name has the given hash; nil if it cannot hide text.
  static func named(_ hash: UInt64) -> StyleProperty? { byHash[hash] }

  /// Returns the given value as a number.
  ///
  /// It is nil if an earlier value still applies, as with `inherit` or some invalid values. For a
  /// keyword or a function, the number is 1 if it hides text, otherwise 0. For a length, it is
  /// tenths of a pixel. For a colour, it is 0xRRGGBB or ``StyleColor/unknown``. For opacity, it is
  /// thousandths.
  func value(_ text: ArraySlice<UInt8>) -> Int32? {
    switch self {
    case .display: return flag(text, "none")
    case .visibility: return flag(text, "hidden", "collapse")
    case .position: return flag(text, "absolute", "fixed")
    case .overflow: return flag(text, "hidden", "clip")
    case .opacity: return StyleLength.number(text).map { StyleLength.bounded($0.value * 1000) }
    case .fontSize: return StyleLength.fontSize(text)
    case .clip: return Self.clips(text) ? 1 : 0
    case .transform: return Self.removes(text) ? 1 : 0
    case .color: return text.elementsEqual("inherit".utf8) ? nil : StyleColor.value(text)
    case .background: return StyleColor.background(text)
    default: return StyleLength.value(text)
    }
  }

  private func flag(
    _ text: ArraySlice<UInt8>, _ first: StaticString, _ second: StaticString = ""
  ) -> Int32? {
    let word = text.prefix { !isSpace($0) }
    if word.elementsEqual("inherit".utf8) { return nil }
    let isOne = word.elementsEqual(first.bytes) || word.elementsEqual(second.bytes)
    return isOne && !word.isEmpty ? 1 : 0
  }

  /// Returns `true` if the given `clip` or `clip-path`, such as `inset(50%)`, hides the element.
  ///
  /// It may leave at most one pixel visible.
  private static func clips(_ text: ArraySlice<UInt8>) -> Bool {
    guard let (name, arguments) = function(text) else { return false }
    let numbers = arguments.compactMap { StyleLength.number($0) }
    guard let first = numbers.first else { return false }
    switch name {
    case "rect":
      return numbers.count == arguments.count && numbers.allSatisfy { abs($0.value) <= 1 }
    case "inset": return first.unit == .percent && first.value >= 50
    case "circle", "ellipse": return first.value == 0
    case "polygon": return numbers.allSatisfy { $0.value == 0 }
    default: return false
    }
  }

  /// Returns `true` if the given `transform` shrinks the element to nothing or moves it out of
  /// sight.
  private static func removes(_ text: ArraySlice<UInt8>) -> Bool {
    guard let (name, arguments) = function(text) else { return false }
    let numbers = arguments.compactMap { StyleLength.number($0) }
    switch name {
    case "scale", "scalex", "scaley", "scale3d": return numbers.contains { abs($0.value) < 0.01 }
    case "translate", "translatex", "translatey", "translate3d":
      return numbers.contains { $0.unit.pixels * abs($0.value) >= 999 }
    default: return false
    }
  }

  /// Returns the name and the arguments of the first function in the given value.
  private static func function(_ text: ArraySlice<UInt8>) -> (String, [ArraySlice<UInt8>])? {
    guard let open = text.firstIndex(of: UInt8(ascii: "(")) else { return nil }
    let close = text[open...].firstIndex(of: UInt8(ascii: ")")) ?? text.endIndex
    let arguments = text[(open + 1)..<close].split { isSpace($0) || $0 == UInt8(ascii: ",") }
    return (String(decoding: text[..<open], as: UTF8.self), arguments)
  }
}

/// Lengths of CSS, in tenths of a pixel.
enum StyleLength {
  enum Unit {
    case none, pixel, em, percent, viewport, other

    /// The approximate length of the unit in pixels.
    ///
    /// It only serves to detect a box that is out of sight.
    var pixels: Double {
      switch self {
      case .none, .pixel, .other: 1
      case .em: 16
      case .percent, .viewport: 10
      }
    }
  }

  private static let units: NameTable<Unit> = {
    let names: [(StaticString, Unit)] = [
      ("px pt", .pixel), ("em rem ch ex", .em), ("%", .percent),
      ("vw vh vmin vmax dvh svh lvh", .viewport),
    ]
    return NameTable(
      names.flatMap { names, unit in
        names.bytes.split(separator: 0x20).map { (NameHash.of($0), unit) }
      })
  }()

  /// The value that stands for a length that is not a number, such as `auto`.
  ///
  /// It hides nothing.
  static let unknown = Int32.min

  static func bounded(_ number: Double) -> Int32 {
    Int32(min(max(number, -1e8), 1e8))
  }

  static func value(_ text: ArraySlice<UInt8>) -> Int32 {
    guard let (value, unit) = number(text.prefix { !isSpace($0) }) else { return unknown }
    return bounded(value * unit.pixels * 10)
  }

  /// Returns the given font size; nil for a relative size other than 0.
  static func fontSize(_ text: ArraySlice<UInt8>) -> Int32? {
    guard let (value, unit) = number(text) else {
      return text.elementsEqual("inherit".utf8) ? nil : unknown
    }
    guard unit == .em || unit == .percent, value > 0 else {
      return bounded(value * unit.pixels * 10)
    }
    return nil
  }

  /// Returns the given text as a number with its unit; nil if the text is not a number.
  static func number(_ text: ArraySlice<UInt8>) -> (value: Double, unit: Unit)? {
    var index = text.startIndex
    var sign = 1.0
    if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      if first == UInt8(ascii: "-") { sign = -1 }
      index += 1
    }
    var value = 0.0
    var scale = 0.0
    var digits = 0
    while index < text.endIndex {
      if isDigit(text[index]) {
        value = value * 10 + Double(text[index] & 15)
        scale *= 10
        digits += 1
      } else if text[index] == UInt8(ascii: "."), scale == 0 {
        scale = 1
      } else {
        break
      }
      index += 1
    }
    guard (1...20).contains(digits) else { return nil }
    return (sign * value / max(scale, 1), unit(text[index...]))
  }

  private static func unit(_ text: ArraySlice<UInt8>) -> Unit {
    text.isEmpty ? .none : units[NameHash.of(text.prefix(5))] ?? .other
  }
}
