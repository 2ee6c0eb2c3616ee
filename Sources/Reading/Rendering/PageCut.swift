/// The requested part of a page's renderings.
struct PageCut {
  /// The byte ranges of the part, in the text and in the Markdown.
  private(set) var text: Range<Int>
  private(set) var markdown: Range<Int>
  /// The numbers of scalars of the part and of the whole page.
  ///
  /// They are counted in the text, or in the only rendering.
  private(set) var characters: Int
  private(set) var total: Int
  /// `true` if the page continues after the part.
  private(set) var isCut: Bool

  /// Cuts the page's renderings to the requested part.
  ///
  /// The limit applies to the text, or to the only requested format. The Markdown of the part has
  /// the same blocks as its text. Consecutive parts therefore add up to the whole page. Only a
  /// block longer than the limit loses a part of its Markdown.
  ///
  /// - Parameters:
  ///   - plain: The text; empty if only Markdown is requested.
  ///   - marked: The Markdown; empty if only text is requested.
  ///   - boundaries: The ends of blocks in both renderings, in order.
  ///   - options: The offset, the limit and the format.
  init(
    _ plain: [UInt8], _ marked: [UInt8], boundaries: [BlockBoundary], _ options: ReadOptions
  ) {
    let (offset, limit) = (max(0, options.offset), max(0, options.maximumCharacters))
    guard options.format == nil, plain != marked else {
      let isMarkdown = options.format == .markdown
      let cut = TextCut(
        isMarkdown ? marked : plain, offset: offset, limit: limit,
        boundaries: boundaries.map { isMarkdown ? $0.markdown : $0.text }, isMarkdown: isMarkdown)
      text = isMarkdown ? 0..<0 : cut.range
      markdown = options.format == .text ? 0..<0 : cut.range
      (characters, total, isCut) = (cut.characters, cut.total, cut.isCut)
      return
    }
    let start = Scalars.index(offset, after: 0, in: plain)
    // Of several boundaries at the same index in the text, the first counts, on both sides of a
    // cut.
    var ends = boundaries.filter { $0.text > 0 && $0.text < plain.count }
    ends = ends.indices.filter { $0 == 0 || ends[$0].text > ends[$0 - 1].text }.map { ends[$0] }
    ends.append(BlockBoundary(text: plain.count, markdown: marked.count))
    let markedStart = start == 0 ? 0 : ends.first { $0.text >= start }?.markdown ?? marked.count
    ends.removeAll { $0.text <= start && $0.text < plain.count }
    let most = limit > 0 ? Scalars.index(limit, after: start, in: plain) : plain.count
    let markedMost = limit > 0 ? Scalars.index(limit, after: markedStart, in: marked) : marked.count
    total = Scalars.count(plain[...])
    if let end = ends.last(where: { $0.text <= most && $0.markdown <= markedMost }) {
      let next = ends.first { $0.text > end.text }
      let isNextShort =
        next.map { next in
          next.text <= Scalars.index(limit, after: end.text, in: plain)
            && next.markdown <= Scalars.index(limit, after: end.markdown, in: marked)
        } ?? true
      if isNextShort || Scalars.count(plain[start..<end.text]) > limit / 2
        || Scalars.count(marked[markedStart..<max(markedStart, end.markdown)]) > limit / 2
      {
        text = start..<max(start, end.text)
        markdown = markedStart..<max(markedStart, end.markdown)
        characters = Scalars.count(plain[text])
        isCut = end.text < plain.count
        return
      }
    }
    // A block is longer than the limit: its text is cut inside the block, and so is its Markdown.
    let cut = TextCut(plain, offset: offset, limit: limit, boundaries: ends.map(\.text))
    text = cut.range
    characters = cut.characters
    let next = ends.first { $0.text >= cut.range.upperBound }?.markdown ?? marked.count
    let isWhole = next <= markedMost
    let markedEnd =
      isWhole
      ? next : MarkdownCut.end(in: marked, from: markedStart, upTo: markedMost) ?? markedMost
    markdown = markedStart..<max(markedStart, markedEnd)
    isCut = cut.isCut || !isWhole
  }
}
