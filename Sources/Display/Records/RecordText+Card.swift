public import Core

extension RecordText {
  private static let labelWidth = 14

  /// Returns all facts in the given model's record, one per line, with its prices.
  public func card(_ model: ModelRecord) -> String {
    let title = Visible.line(model.name)
    let lines = width.map { Cells.wrapped(title, to: $0) } ?? [title]
    let facts: [(label: String, text: String?)] = [
      ("provider", model.provider), ("kind", model.kind),
      ("available", model.available ? "yes" : "no: \(model.reason ?? "the reason is unknown")"),
      ("endpoint", model.endpoint), ("context", tokens(model.contextTokens)),
      ("input", tokens(model.maxInputTokens)), ("output", tokens(model.maxOutputTokens)),
      ("thinking", thinking(model)), ("effort", effort(model)),
      ("refuses", model.refuses?.joined(separator: ", ")), ("retires", retirement(model)),
      ("replacement", model.replacement),
    ]
    return lines.map { palette.painted($0, .heading) + "\n" }.joined()
      + labelled(facts, at: Self.labelWidth) + prices(model)
  }

  private func tokens(_ count: Int?) -> String? { count.map { Numbers.of($0, "token") } }

  private func thinking(_ model: ModelRecord) -> String? {
    model.thinking.map { word in
      switch word {
      case "on": "on, unless a request turns it off"
      case "off": "off, unless a request asks for it"
      default: word
      }
    }
  }

  private func effort(_ model: ModelRecord) -> String? {
    let levels = model.efforts.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
    guard let usual = model.effort else { return levels }
    return levels.map { "\(usual); knows \($0)" } ?? usual
  }

  private func retirement(_ model: ModelRecord) -> String? {
    guard let day = model.retires else {
      return model.retiresNotBefore.map { "not before \($0)" }
    }
    guard let left = days(until: day) else { return day }
    if left <= 0 { return "\(day): it is retired" }
    return left <= 60 ? "\(day), in \(Numbers.of(left, "day"))" : day
  }

  // MARK: Prices

  private func prices(_ model: ModelRecord) -> String {
    guard model.inputPricePerMillion != nil || model.outputPricePerMillion != nil else {
      return labelled([("price", "unknown")], at: Self.labelWidth)
    }
    var usual = ModelRecord.Band(aboveInputTokens: 0)
    usual.inputPricePerMillion = model.inputPricePerMillion
    usual.outputPricePerMillion = model.outputPricePerMillion
    usual.cacheReadPricePerMillion = model.cacheReadPricePerMillion
    usual.cacheWritePricePerMillion = model.cacheWritePricePerMillion
    usual.cacheWrite1hPricePerMillion = model.cacheWrite1hPricePerMillion
    let bands = (model.bands ?? []).sorted { $0.aboveInputTokens < $1.aboveInputTokens }
    let rows =
      [row(bands.isEmpty ? "any request" : "usual", usual)]
      + bands.map { row("over \(Numbers.short($0.aboveInputTokens))", $0) }
    let table = Table(
      [
        TableColumn("$/M tokens", importance: 9, leastWidth: 8),
        TableColumn("in", .number, importance: 8), TableColumn("out", .number, importance: 7),
        TableColumn("cache read", .number, importance: 6),
        TableColumn("cache write", .number, importance: 5),
        TableColumn("cache 1h", .number, importance: 4),
      ], rows)
    let origin = labelled(
      [("priced on", age(model.pricesAsOf)), ("source", model.priceSource)], at: Self.labelWidth)
    return "\n" + table.text(width: width, palette: palette, hasHeadings: true)
      + (origin.isEmpty ? "" : "\n" + origin)
  }

  private func row(_ name: String, _ band: ModelRecord.Band) -> [TableCell] {
    [TableCell(name, .faint)]
      + band.amounts.map { $0 == nil ? .empty : TableCell(Numbers.perMillion($0)) }
  }

  /// Returns the day on which a price was looked up.
  ///
  /// A day long ago is marked.
  private func age(_ day: String?) -> String? {
    day.map { day in
      (days(until: day) ?? 0) < -90 ? "\(day) (older than 90 days)" : day
    }
  }

  /// Returns the number of days until the given day.
  ///
  /// It is negative if the day is past, and nil if the text is not a day.
  private func days(until day: String) -> Int? {
    Timestamp(iso8601: day + "T00:00:00Z").map { day in
      Numbers.whole((day.seconds(since: now) / 86_400).rounded(.up))
    }
  }
}
