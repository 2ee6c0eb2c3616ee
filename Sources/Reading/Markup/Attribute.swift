/// The attributes that reading uses.
///
/// All other attributes are dropped.
enum Attribute: UInt8, CaseIterable, Sendable {
  case href, src, alt, title, id, `class`, hidden, style, name, content, property, charset, lang
  case rel, type, role, start, value, colspan, datetime, itemprop, itemtype
  case media, color, bgcolor, rowspan, align, width, height, srcset, alttext, encoding, itemscope
  case ariaHidden, ariaControls, httpEquiv, dataSrc, dataSrcset, dataLang, dataLanguage
  case display, slot, shadowrootmode
  /// Placeholders for names that only the selector uses: up to eight attributes and an element.
  case selected0, selected1, selected2, selected3, selected4, selected5, selected6, selected7
  case selectedTag
  /// A placeholder for the name of an element in a formula, such as `mfrac`.
  case mathElement

  /// The placeholders that stand for attributes.
  static let selected: [Attribute] = allCases.filter {
    $0.isSelected && $0.rawValue < Attribute.selectedTag.rawValue
  }

  /// `true` if the attribute is a placeholder.
  ///
  /// No page can contain the name of a placeholder.
  var isSelected: Bool { rawValue >= Attribute.selected0.rawValue }

  private static let byHash = NameTable(
    zip(names, allCases).map { (NameHash.of($0), $1) })

  /// Returns the attribute whose lower-case name has the given hash.
  static func named(_ hash: UInt64) -> Attribute? { byHash[hash] }

  /// The names of all attributes except placeholders, by raw value.
  static let names: [[UInt8]] =
    ("""
  href src alt title id class hidden style name content property charset lang rel type role \
  start value colspan datetime itemprop itemtype media color bgcolor rowspan align width \
  height srcset alttext encoding itemscope aria-hidden aria-controls http-equiv data-src \
  data-srcset data-lang data-language display slot shadowrootmode
  """ as StaticString).bytes.split(separator: 0x20).map(Array.init)
}
