extension EmptyReason {
  /// The number of words of content below which a page may consist only of a prompt.
  private static let fewWords: Int32 = 60
  /// The number of words below which a page may still wait for a script to fill it.
  private static let shellWords: Int32 = 120

  /// Returns the reason why the blocks chosen in `keeps` are not content; nil if they are content.
  static func of(_ document: Document, keeps: [Bool]) -> EmptyReason? {
    let shape = document.shape
    let kept = keeps.indices.lazy.filter { keeps[$0] }.map { shape.blocks[$0] }
    let words = kept.reduce(Int32(0)) { $0 + $1.words }
    guard words < fewWords else { return nil }
    let asksForScript = shape.blocks.contains { $0.cues & CueWords.script != 0 }
    if document.hasScript, asksForScript, shape.sums[0].words < shellWords { return .needsScript }
    let consent = kept.reduce(Int32(0)) {
      $0 + ($1.cues & CueWords.consent != 0 ? $1.words : 0)
    }
    if words > 0 {
      if consent * 2 > words { return .consent }
      let isAbout = kept.contains { $0.prose > 0 } || !lacksTitle(shape)
      return document.hasScript && !isAbout ? .needsScript : nil
    }
    if document.metadata.isPaid { return .paywall }
    if shape.blocks.contains(where: { $0.cues & CueWords.consent != 0 }) { return .consent }
    let isShell = document.hasScript && shape.sums[0].words < shellWords
    return isShell ? .needsScript : .noText
  }

  /// Returns `true` if no block contains half of the title's words.
  ///
  /// This is a sign that the content is missing.
  private static func lacksTitle(_ shape: PageShape) -> Bool {
    shape.titleWords > 2 && !shape.blocks.contains { $0.titleWords * 2 >= shape.titleWords }
  }
}
