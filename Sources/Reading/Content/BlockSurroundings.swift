/// The kinds of elements that a text is inside.
struct BlockSurroundings: OptionSet {
  let rawValue: UInt32

  static let link = BlockSurroundings(rawValue: 1 << 0)
  static let strong = BlockSurroundings(rawValue: 1 << 1)
  static let list = BlockSurroundings(rawValue: 1 << 2)
  static let table = BlockSurroundings(rawValue: 1 << 3)
  static let form = BlockSurroundings(rawValue: 1 << 4)
  static let button = BlockSurroundings(rawValue: 1 << 5)
  static let header = BlockSurroundings(rawValue: 1 << 6)
  static let footer = BlockSurroundings(rawValue: 1 << 7)
  static let aside = BlockSurroundings(rawValue: 1 << 8)
  static let main = BlockSurroundings(rawValue: 1 << 9)
  static let article = BlockSurroundings(rawValue: 1 << 10)
  static let section = BlockSurroundings(rawValue: 1 << 11)
  static let figure = BlockSurroundings(rawValue: 1 << 12)
  static let quote = BlockSurroundings(rawValue: 1 << 13)
  static let details = BlockSurroundings(rawValue: 1 << 14)
  static let paragraph = BlockSurroundings(rawValue: 1 << 15)
  static let address = BlockSurroundings(rawValue: 1 << 16)
  static let heading = BlockSurroundings(rawValue: 1 << 17)
  static let navigation = BlockSurroundings(rawValue: 1 << 18)
  static let label = BlockSurroundings(rawValue: 1 << 19)
  static let complementary = BlockSurroundings(rawValue: 1 << 20)

  static let time = BlockSurroundings(rawValue: 1 << 21)
  static let emphasis = BlockSurroundings(rawValue: 1 << 22)

  /// The number of kinds.
  static let count = 23

  /// Creates the set of kinds that an element with the given tag has.
  init(of tag: Tag) {
    self =
      switch tag {
      case .a: .link
      case .strong, .b: .strong
      case .ul, .ol, .menu, .dl: .list
      case .table: .table
      case .form, .fieldset: .form
      case .button: .button
      case .header: .header
      case .footer: .footer
      case .aside: .aside
      case .main: .main
      case .article: .article
      case .section: .section
      case .figure, .figcaption: .figure
      case .blockquote, .q: .quote
      case .details, .summary: .details
      case .p: .paragraph
      case .address: .address
      case .h1, .h2, .h3, .h4, .h5, .h6: .heading
      case .nav: .navigation
      case .label, .legend: .label
      case .time: .time
      case .em, .i, .cite: .emphasis
      default: []
      }
  }

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates the set of kinds that an element with the given ARIA role has.
  init(role: ArraySlice<UInt8>) {
    self =
      switch String(decoding: role.prefix(32), as: UTF8.self).lowercased() {
      case "main": .main
      case "article": .article
      case "navigation", "menu", "menubar", "tablist": .navigation
      case "banner": .header
      case "contentinfo": .footer
      case "complementary": .complementary
      case "button": .button
      case "search", "form": .form
      case "list": .list
      case "heading": .heading
      default: []
      }
  }
}
