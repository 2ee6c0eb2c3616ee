/// A date that is written in words or digits, in one of several languages.
struct WrittenDate {
  /// The date in ISO 8601.
  var iso: String
  /// The range of the date in the text.
  var range: Range<Int>

  private enum Token {
    case number(Int, digits: Int)
    case month(Int)
    /// A word in a date that has no meaning of its own, such as `of` or `de`.
    case filler
    case separator(UInt8)
    case word
  }

  private struct Item {
    var token: Token
    var range: Range<Int>
  }

  /// Returns the first date in the given text; nil if there is none.
  ///
  /// Only the first 2,000 bytes are read.
  static func first(in text: ArraySlice<UInt8>) -> WrittenDate? {
    let text = text.prefix(2000)
    // A date needs a year, and most texts have none.
    guard mayHoldYear(text) else { return nil }
    let items = tokens(text)
    for index in items.indices {
      for form in [monthFirst, dayFirst, yearFirst, numeric, asian] {
        if let date = form(items[index...]) { return date }
      }
    }
    return nil
  }

  private static func mayHoldYear(_ text: ArraySlice<UInt8>) -> Bool {
    var run = 0
    for byte in text {
      run = isDigit(byte) ? run + 1 : 0
      if run == 4 { return true }
    }
    return false
  }

  private static func tokens(_ text: ArraySlice<UInt8>) -> [Item] {
    var items: [Item] = []
    var at = text.startIndex
    while at < text.endIndex {
      let start = at
      let byte = text[at]
      if isDigit(byte) {
        var value = 0
        while at < text.endIndex, isDigit(text[at]) {
          if at - start < 9 { value = value * 10 + Int(text[at] - 0x30) }
          at += 1
        }
        let digits = at - start
        // Ordinals: 1st, 2nd, 3rd, 4th.
        if digits <= 2,
          ["st", "nd", "rd", "th"].contains(where: { text[at...].starts(with: $0.utf8) })
        {
          at += 2
        }
        items.append(Item(token: .number(value, digits: digits), range: start..<at))
      } else if isLetter(byte) || byte >= 0x80 && !isAsianMark(text, at) {
        while at < text.endIndex, isLetter(text[at]) || text[at] >= 0x80 && !isAsianMark(text, at) {
          at += 1
        }
        items.append(Item(token: word(text[start..<at]), range: start..<at))
      } else if byte >= 0x80 {
        at = min(text.endIndex, at + 3)
        items.append(Item(token: .separator(text[at - 1]), range: start..<at))
      } else {
        at += 1
        if !isSpace(byte) { items.append(Item(token: .separator(byte), range: start..<at)) }
      }
    }
    return items
  }

  /// Returns `true` if the character at the given index is 年, 月 or 日; see ``asian(_:)``.
  private static func isAsianMark(_ text: ArraySlice<UInt8>, _ at: Int) -> Bool {
    let mark = text[at...].prefix(3)
    return mark.elementsEqual([0xE5, 0xB9, 0xB4]) || mark.elementsEqual([0xE6, 0x9C, 0x88])
      || mark.elementsEqual([0xE6, 0x97, 0xA5])
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> Token {
    guard bytes.count <= 14 else { return .word }
    let word = String(decoding: bytes, as: UTF8.self).lowercased()
    if let month = months[word] { return .month(month) }
    return ["of", "de", "del", "di", "d"].contains(word) ? .filler : .word
  }

  private static let months: [String: Int] = {
    let names = """
      january jan januar janvier janv enero ene gennaio gen janeiro januari jänner
      february feb februar février févr fév febrero febbraio fevereiro fev februari
      march mar mars märz marzo março maart mrz
      april apr avril avr abril abr aprile
      may mai mayo maggio mag maio mei
      june jun juni juin junio giugno giu junho
      july jul juli juillet juil julio luglio lug julho
      august aug août aout agosto ago augustus augusti
      september sep sept septembre septiembre settembre set setembro
      october oct oktober okt octobre octubre ottobre ott outubro out
      november nov novembre noviembre novembro
      december dec dezember dez décembre déc diciembre dic dicembre dezembro december
      """
    var months: [String: Int] = [:]
    for (index, line) in names.split(separator: "\n").enumerated() {
      for name in line.split(separator: " ") { months[String(name)] = index + 1 }
    }
    return months
  }()

  /// Reads a date such as `March 12, 2024`.
  private static func monthFirst(_ items: ArraySlice<Item>) -> WrittenDate? {
    var rest = items
    guard case .month(let month)? = rest.popFirst()?.token else { return nil }
    skip(".", &rest)
    guard case .number(let day, let digits)? = rest.popFirst()?.token, digits <= 2 else {
      return nil
    }
    skip(".,", &rest)
    return make(items, year: rest.first, month: month, day: day)
  }

  /// Reads a date such as `12 March 2024`, `12 de marzo de 2024` or `12-Mar-2024`.
  private static func dayFirst(_ items: ArraySlice<Item>) -> WrittenDate? {
    var rest = items
    guard case .number(let day, let digits)? = rest.popFirst()?.token, digits <= 2 else {
      return nil
    }
    skip(".-/", &rest)
    if case .filler? = rest.first?.token { rest.removeFirst() }
    guard case .month(let month)? = rest.popFirst()?.token else { return nil }
    skip(".,-/", &rest)
    if case .filler? = rest.first?.token { rest.removeFirst() }
    return make(items, year: rest.first, month: month, day: day)
  }

  /// Reads a date such as `2024 Mar 12`.
  private static func yearFirst(_ items: ArraySlice<Item>) -> WrittenDate? {
    guard items.count >= 3, isNumber(items[items.startIndex]) else { return nil }
    let three = Array(items.prefix(3))
    guard case .number(let year, 4) = three[0].token, case .month(let month) = three[1].token,
      case .number(let day, let digits) = three[2].token, digits <= 2
    else { return nil }
    return make(three, year: year, month: month, day: day)
  }

  /// Reads a date such as `2024-03-12` or `12.03.2024`.
  ///
  /// A date such as `13/03/2024` is read only if the order of day and month is certain.
  private static func numeric(_ items: ArraySlice<Item>) -> WrittenDate? {
    guard items.count >= 5, isNumber(items[items.startIndex]) else { return nil }
    let five = Array(items.prefix(5))
    guard case .number(let first, let width) = five[0].token,
      case .separator(let mark) = five[1].token, "-/.".utf8.contains(mark),
      case .number(let second, let middle) = five[2].token, middle <= 2,
      case .separator(mark) = five[3].token,
      case .number(let third, let last) = five[4].token
    else { return nil }
    if width == 4, last <= 2 { return make(five, year: first, month: second, day: third) }
    guard width <= 2, last == 4 else { return nil }
    let dayFirst = DateValue.isValid(year: third, month: second, day: first)
    let monthFirst = DateValue.isValid(year: third, month: first, day: second)
    // With dots the day always comes first.
    if dayFirst, !monthFirst || first == second || mark == UInt8(ascii: ".") {
      return make(five, year: third, month: second, day: first)
    }
    return monthFirst && !dayFirst ? make(five, year: third, month: first, day: second) : nil
  }

  /// Reads a date such as `2024年3月12日`.
  private static func asian(_ items: ArraySlice<Item>) -> WrittenDate? {
    guard items.count >= 6, isNumber(items[items.startIndex]) else { return nil }
    let six = Array(items.prefix(6))
    guard case .number(let year, 4) = six[0].token, case .separator(0xB4) = six[1].token,
      case .number(let month, _) = six[2].token, case .separator(0x88) = six[3].token,
      case .number(let day, _) = six[4].token, case .separator(0xA5) = six[5].token
    else { return nil }
    return make(six, year: year, month: month, day: day)
  }

  private static func isNumber(_ item: Item) -> Bool {
    if case .number = item.token { true } else { false }
  }

  private static func skip(_ marks: String, _ items: inout ArraySlice<Item>) {
    if case .separator(let mark)? = items.first?.token, marks.utf8.contains(mark) {
      items.removeFirst()
    }
  }

  private static func make(
    _ items: ArraySlice<Item>, year: Item?, month: Int, day: Int
  ) -> WrittenDate? {
    guard let year, let first = items.first, case .number(let value, 4) = year.token,
      DateValue.isValid(year: value, month: month, day: day)
    else { return nil }
    return WrittenDate(
      iso: DateValue.iso(year: value, month: month, day: day),
      range: first.range.lowerBound..<year.range.upperBound)
  }

  private static func make(
    _ items: [Item], year: Int, month: Int, day: Int
  ) -> WrittenDate? {
    guard let first = items.first, let last = items.last,
      DateValue.isValid(year: year, month: month, day: day)
    else { return nil }
    return WrittenDate(
      iso: DateValue.iso(year: year, month: month, day: day),
      range: first.range.lowerBound..<last.range.upperBound)
  }
}
