/// The style of a character on a captured screen: its SGR attributes (ECMA-48).
struct CellStyle: Hashable {
  /// A colour, as an SGR sequence selects it.
  ///
  /// The terminal defines the sixteen named colours.
  enum Colour: Hashable {
    case usual
    /// One of the sixteen named colours: 0 to 7 are normal, 8 to 15 are bright.
    case named(Int)
    case palette(Int)
    case exact(red: Int, green: Int, blue: Int)
  }

  var foreground = Colour.usual
  var background = Colour.usual
  var underlineColour = Colour.usual
  /// The attributes that are set.
  ///
  /// One bit stands for each SGR code: 1 to 9 except 4, and 53.
  var attributes: UInt64 = 0
  /// The underline style: 0 for none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
  var underline = 0

  /// Applies the given parameters of an SGR sequence.
  ///
  /// Each parameter is a list of values that colons separate. Unknown parameters are ignored.
  mutating func apply(_ parameters: [[Int]]) {
    var rest = parameters[...]
    while let parameter = rest.popFirst() {
      let code = parameter.first ?? 0
      guard parameter.count == 1 || parameter.isEmpty else {
        applyColons(code, Array(parameter.dropFirst()))
        continue
      }
      switch code {
      case 38, 48, 58:
        let colour = Self.colour(&rest)
        if let colour { set(code, colour) }
      default: apply(code)
      }
    }
  }

  private mutating func apply(_ code: Int) {
    switch code {
    case 0: self = CellStyle()
    case 1, 2, 3, 5, 7, 8, 9, 53: attributes |= 1 << code
    case 4: underline = 1
    case 21: underline = 2
    case 22: attributes &= ~0b110
    case 23, 25, 27, 28, 29: attributes &= ~(1 << (code - 20))
    case 24: underline = 0
    case 55: attributes &= ~(1 << 53)
    case 30...37: foreground = .named(code - 30)
    case 39: foreground = .usual
    case 40...47: background = .named(code - 40)
    case 49: background = .usual
    case 59: underlineColour = .usual
    case 90...97: foreground = .named(code - 82)
    case 100...107: background = .named(code - 92)
    default: break
    }
  }

  private mutating func applyColons(_ code: Int, _ values: [Int]) {
    switch (code, values.first) {
    case (4, let kind?) where (0...5).contains(kind): underline = kind
    // tmux up to 3.3 writes the overline code, 53, as two values.
    case (5, 3): attributes |= 1 << 53
    case (38, 5), (48, 5), (58, 5):
      guard let index = values.last, values.count == 2, Self.isByte(index) else { return }
      set(code, .palette(index))
    case (38, 2), (48, 2), (58, 2):
      // The ID of a colour space is optional.
      let parts = values.suffix(3)
      guard (4...5).contains(values.count), parts.allSatisfy(Self.isByte) else { return }
      set(
        code,
        .exact(
          red: values[values.count - 3], green: values[values.count - 2],
          blue: values[values.count - 1]))
    default: break
    }
  }

  private mutating func set(_ code: Int, _ colour: Colour) {
    switch code {
    case 38: foreground = colour
    case 48: background = colour
    default: underlineColour = colour
    }
  }

  /// Returns the colour that the parameters after code 38, 48 or 58 select.
  private static func colour(_ rest: inout ArraySlice<[Int]>) -> Colour? {
    func value() -> Int? { rest.popFirst()?.first.flatMap { isByte($0) ? $0 : nil } }
    switch value() {
    case 5: return value().map { .palette($0) }
    case 2:
      guard let red = value(), let green = value(), let blue = value() else { return nil }
      return .exact(red: red, green: green, blue: blue)
    default: return nil
    }
  }

  private static func isByte(_ value: Int) -> Bool { (0...255).contains(value) }

  /// The SGR sequence that sets exactly this style, whatever style is set before.
  var sequence: String {
    var codes = ["0"] + (1...53).filter { attributes & 1 << $0 != 0 }.map(String.init)
    if underline > 0 { codes.append(underline == 1 ? "4" : "4:\(underline)") }
    codes += Self.codes(foreground, 30) + Self.codes(background, 40)
    codes += Self.codes(underlineColour, 50)
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private static func codes(_ colour: Colour, _ base: Int) -> [String] {
    switch colour {
    case .usual: []
    case .named(let index): ["\(index < 8 ? base + index : base + 52 + index)"]
    case .palette(let index): ["\(base + 8)", "5", "\(index)"]
    case .exact(let red, let green, let blue):
      ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
    }
  }
}
