/// The non-ASCII letters of a language, with their weights as evidence for the language.
struct LanguageLetters: Sendable {
  private let weights: [Unicode.Scalar: Double]
  /// The weights of ranges of letters.
  ///
  /// They apply to letters that have no weight of their own.
  private let ranges: [(range: ClosedRange<UInt32>, weight: Double)]

  /// Returns a score for how well the given text fits the language.
  ///
  /// The score is the mean weight of all characters that are neither ASCII nor shared punctuation.
  /// It is at most 1 and may be negative.
  func score(of text: String) -> Double {
    var sum = 0.0
    var count = 0
    for scalar in text.unicodeScalars where scalar.value >= 0x80 {
      if scalar.value == 0xFFFD {
        sum -= 2
        count += 1
      } else if !Self.isShared(scalar.value) {
        sum += weights[scalar] ?? ranges.first { $0.range.contains(scalar.value) }?.weight ?? -0.5
        count += 1
      }
    }
    // One or two letters are weak evidence.
    return count == 0 ? 0 : sum / Double(count) * (count < 3 ? 0.5 : 1)
  }

  /// Returns `true` for quotation marks, dashes and signs that occur in texts of every language.
  private static func isShared(_ code: UInt32) -> Bool {
    switch code {
    case 0x2010...0x2030, 0x2039, 0x203A, 0x20AC, 0x2122, 0x2116: true
    case 0xA0, 0xA7, 0xA9, 0xAB, 0xAE, 0xB0, 0xB7, 0xBB: true
    case 0x3000...0x3002, 0xFF01...0xFF20: true
    default: false
    }
  }

  /// Creates equal weights for the given letters, such as a Latin script's accented letters.
  ///
  /// Their capitals have half that weight.
  private init(accented letters: String) {
    var weights: [Unicode.Scalar: Double] = [:]
    for scalar in letters.unicodeScalars {
      for capital in scalar.properties.uppercaseMapping.unicodeScalars { weights[capital] = 0.5 }
    }
    for scalar in letters.unicodeScalars { weights[scalar] = 1 }
    self.weights = weights
    ranges = []
  }

  /// Creates weights for the given letters, which are in order from the most to the least frequent.
  private init(frequent letters: String, capitals: Double = 0.2, ranges: [ClosedRange<UInt32>] = [])
  {
    let scalars = Array(letters.unicodeScalars)
    var weights: [Unicode.Scalar: Double] = [:]
    for scalar in scalars {
      for capital in scalar.properties.uppercaseMapping.unicodeScalars {
        weights[capital] = capitals
      }
    }
    for (index, scalar) in scalars.enumerated() {
      weights[scalar] = index * 3 < scalars.count ? 1 : index * 3 < scalars.count * 2 ? 0.75 : 0.4
    }
    self.weights = weights
    self.ranges = ranges.map { ($0, 0.2) }
  }

  private init(common: String, _ ranges: [(ClosedRange<UInt32>, Double)]) {
    var weights: [Unicode.Scalar: Double] = [:]
    for scalar in common.unicodeScalars { weights[scalar] = 1 }
    self.weights = weights
    self.ranges = ranges.map { (range: $0.0, weight: $0.1) }
  }

  static let western = [
    LanguageLetters(accented: "éèàçùâêîôûëïüœÿæ"), LanguageLetters(accented: "äöüßéà"),
    LanguageLetters(accented: "áéíóúñü¿¡ºª"), LanguageLetters(accented: "áéíóúâêôãõàçºª"),
    LanguageLetters(accented: "àèéìòùî"), LanguageLetters(accented: "åäöæøéüè"),
    LanguageLetters(accented: "áéíóúýðþæö"), LanguageLetters(accented: "ëéïöüèêáó"),
  ]

  static let central = [
    LanguageLetters(accented: "ąćęłńóśźż"), LanguageLetters(accented: "áčďéěíňóřšťúůýž"),
    LanguageLetters(accented: "áéíóöőúüű"), LanguageLetters(accented: "áäčďéíĺľňóôŕšťúýž"),
    LanguageLetters(accented: "čćđšž"), LanguageLetters(accented: "ăâîşţ"),
  ]

  static let turkish = LanguageLetters(accented: "çğıöşüâî")

  static let cyrillic = [
    LanguageLetters(frequent: "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
    LanguageLetters(frequent: "оанитверсклудмпязьбгйчхцїюєжшщфґі"),
    LanguageLetters(frequent: "аоеитнрсвлдкпмузящгбчъйцжхшюфь"),
  ]

  static let greek = LanguageLetters(frequent: "αοιετσνηυρπκμλςωγδχθφβξζψάέίόήύώϊϋΐΰ")
  static let hebrew = LanguageLetters(
    frequent: "יוהלאמרתשבנםדקפעחןסטזגצכךףץ", ranges: [0x05B0...0x05C2])
  static let arabic = LanguageLetters(
    frequent: "اليمونرتبةعدسفهكقحجأشطصخىإذضزءثئغظآؤ", ranges: [0x060C...0x0652, 0x067E...0x06D2])
  static let thai = LanguageLetters(
    frequent: "านรอกเงมยล่วดท้สตะิปบคีัหแจพชุขใไโูึผื์ถธ็ณภศซำ", ranges: [0x0E01...0x0E5B])

  /// The letters of Japanese, in which every second letter is kana.
  static let japanese = LanguageLetters(
    common: "日本人年大中出会国語分生行事者新時間月後前",
    [(0x3041...0x3093, 1), (0x30A1...0x30FC, 0.9), (0x4E00...0x9FFF, 0.55), (0xFF61...0xFF9F, 0)])
  static let korean = LanguageLetters(
    common: "이다는의에을를가은로하고지한사기도시인자대리어아일정서수여스나전부으라",
    [(0xAC00...0xD7A3, 0.75), (0x4E00...0x9FFF, 0)])
  static let simplifiedChinese = LanguageLetters(
    common:
      """
      的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家\
      学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见\
      经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话\
      儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真\
      听世气信北少关并内加化由却代军产入先山五太水万市
      """,
    [(0x4E00...0x9FFF, 0.4), (0x3041...0x30FF, 0)])
  static let traditionalChinese = LanguageLetters(
    common:
      """
      的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家\
      學對可她里後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見\
      經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話\
      兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真\
      聽世氣信北少關並內加化由卻代軍產入先山五太水萬市
      """,
    [(0x4E00...0x9FFF, 0.4), (0x3041...0x30FF, 0)])
}
