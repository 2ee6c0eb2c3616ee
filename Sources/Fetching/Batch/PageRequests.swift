public import Core

/// What is to be fetched, one after the other: URLs that a person typed, then the lines of an input.
public actor PageRequests {
  private var operands: ArraySlice<String>
  private let input: WaitingInput?
  private let passOn: @Sendable (RawRecord) throws(Failure) -> Void
  private let report: @Sendable (Failure) -> Void

  /// Creates the source.
  ///
  /// - Parameters:
  ///   - operands: URLs.
  ///   - input: URLs one a line, or records; nil when it is not read.
  ///   - passOn: Takes a record that names no page.
  ///   - report: Takes what is wrong with a line; the next one is read.
  public init(
    operands: [String], input: consuming sending RecordReader?,
    passOn: @escaping @Sendable (RawRecord) throws(Failure) -> Void,
    report: @escaping @Sendable (Failure) -> Void
  ) {
    self.operands = operands[...]
    if let reader = consume input {
      self.input = WaitingInput(reader)
    } else {
      self.input = nil
    }
    self.passOn = passOn
    self.report = report
  }

  /// The next page to be fetched over the network; nil at the end.
  ///
  /// A URL that a person typed is a person's visit; a list of them is a crawler's.
  ///
  /// - Throws: `Interrupted`, `StorageFailed` when reading fails, and what passing on threw.
  public func next() async throws(Failure) -> PageJob? {
    if let operand = operands.popFirst() {
      var visit = PageJob(url: operand)
      visit.obeysRobots = false
      return visit
    }
    guard let input else { return nil }
    while true {
      do {
        guard let item = try await input.next() else { return nil }
        if let job = try job(item) { return job }
      } catch {
        guard error.code == .badInput else { throw error }
        report(error)
      }
    }
  }

  private func job(_ item: WaitingInput.Item) throws(Failure) -> PageJob? {
    switch item {
    case .text(let url, let source): return PageJob(url: url, input: source)
    case .record(let record) where record.type == URLRecord.type:
      let url = try URLRecord(record)
      return PageJob(url: url.url, labels: url.labels, input: record.source)
    case .record(let record):
      try passOn(record)
      return nil
    }
  }
}
