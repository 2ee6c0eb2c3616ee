/// The elements that reading distinguishes.
///
/// Any other element is ``inline``.
enum Tag: UInt8, CaseIterable, Sendable {
  /// A text, which is not an element.
  case text
  /// An element that has no case of its own, such as a custom element.
  case inline
  case html, head, body, title, base, link, meta, style, script, noscript, template
  case main, article, section, nav, aside, header, footer, address, hgroup, search
  case h1, h2, h3, h4, h5, h6
  case p, div, pre, blockquote, ol, ul, menu, li, dl, dt, dd, figure, figcaption, hr, center
  case details, summary, dialog
  case a, em, strong, b, i, code, kbd, samp, tt, br, time, span, wbr, q, cite, del, s, sup, sub
  case table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th
  case form, fieldset, legend, label, input, button, select, option, optgroup, textarea
  case datalist, output, progress, meter
  case img, picture, source, iframe, embed, object, param, video, audio, track, canvas, svg
  case math, map, area, noembed, noframes, frame, frameset, applet, xmp, plaintext, slot

  private static let byHash = NameTable(
    zip(names, allCases).dropFirst(2).map { (NameHash.of($0), $1) })

  /// Returns the tag whose lower-case name has the given hash; ``inline`` for an unknown name.
  static func named(_ hash: UInt64) -> Tag {
    byHash[hash] ?? (hash == strike ? .s : .inline)
  }

  /// The hash of the name that HTML 4 has for `s`.
  private static let strike = NameHash.of("strike".utf8)

  /// The names that libxml2 gets for the tags, by raw value.
  ///
  /// They are literals, because deriving them from the cases would take a millisecond.
  static let names: [[UInt8]] =
    ("""
  text span html head body title base link meta style script noscript template main article \
  section nav aside header footer address hgroup search h1 h2 h3 h4 h5 h6 p div pre blockquote \
  ol ul menu li dl dt dd figure figcaption hr center details summary dialog a em strong b i \
  code kbd samp tt br time span wbr q cite del s sup sub table caption colgroup col thead \
  tbody tfoot tr td th form fieldset legend label input button select option optgroup textarea \
  datalist output progress meter img picture source iframe embed object param video audio \
  track canvas svg math map area noembed noframes frame frameset applet xmp plaintext slot
  """ as StaticString).bytes.split(separator: 0x20).map(Array.init)
}

extension Tag {
  /// A set of tags, in which each tag has one bit.
  struct Group: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ tags: Tag...) {
      for tag in tags {
        if tag.rawValue < 64 {
          low |= 1 << UInt64(tag.rawValue)
        } else {
          high |= 1 << UInt64(tag.rawValue & 63)
        }
      }
    }

    @inline(__always)
    func contains(_ tag: Tag) -> Bool {
      let bits = tag.rawValue < 64 ? low : high
      return bits >> UInt64(tag.rawValue & 63) & 1 == 1
    }
  }

  /// The elements that have neither content nor an end tag.
  static let void = Group(
    .area, .base, .br, .col, .embed, .frame, .hr, .img, .input, .link, .meta, .param, .source,
    .track, .wbr)

  /// The elements whose content is not read as markup and is never shown.
  static let opaque = Group(
    .script, .style, .noscript, .iframe, .noembed, .noframes, .textarea)

  /// The elements whose start and end are edges of a block.
  static let block = Group(
    .html, .body, .main, .article, .section, .nav, .aside, .header, .footer, .address, .hgroup,
    .search, .h1, .h2, .h3, .h4, .h5, .h6, .p, .div, .pre, .blockquote, .ol, .ul, .menu, .li, .dl,
    .dt, .dd, .figure, .figcaption, .hr, .center, .details, .summary, .dialog, .table, .caption,
    .thead, .tbody, .tfoot, .tr, .td, .th, .form, .fieldset, .legend, .xmp)

  /// The elements of a document's head, and the elements around the head and the body.
  static let metadata = Group(
    .html, .head, .title, .base, .link, .meta, .style, .script, .noscript, .template)

  /// The elements that have no readable text in any reading mode.
  static let unreadable = Group(
    .head, .title, .base, .link, .meta, .style, .script, .noscript, .template, .input, .textarea,
    .datalist, .param, .track, .area, .iframe, .embed, .object, .noembed, .noframes, .frame,
    .frameset, .applet, .colgroup, .col, .video, .audio, .canvas)

  /// The elements that are never part of the content.
  static let dropped = Group(
    .head, .title, .base, .link, .meta, .style, .script, .noscript, .template, .nav, .input,
    .select, .option, .optgroup, .textarea, .datalist, .output, .progress, .meter,
    .iframe, .embed, .object, .param, .video, .audio, .track, .canvas, .svg, .map, .area,
    .noembed, .noframes, .frame, .frameset, .applet, .colgroup, .col, .dialog, .search)

  /// The elements in which white space is preserved.
  static let literal = Group(.pre, .xmp, .plaintext)

  static let heading = Group(.h1, .h2, .h3, .h4, .h5, .h6)
  static let list = Group(.ol, .ul, .menu)
  static let cell = Group(.td, .th)

  /// The level of the heading, 1 to 6; 0 if the element is not a heading.
  var headingLevel: Int {
    Tag.heading.contains(self) ? Int(rawValue - Tag.h1.rawValue) + 1 : 0
  }
}
