public import Core

/// The requested pages: URLs that a person typed, then the lines of an input.
public actor PageRequests {
  private var operands: ArraySlice<String>
  private let input: WaitingInput?
  private let passOn: @Sendable (RawRecord) throws(Failure) -> Void
  private let report: @Sendable (Failure) -> Void

  /// Creates the source of requests.
  ///
  /// - Parameters:
  ///   - operands: URLs.
  ///   - input: URLs, one on each line, or records; nil if it is not read.
  ///   - passOn: Receives a record that names no page.
  ///   - report: Receives the failure of each bad line; reading continues with the next line.
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

  /// Returns the next page to fetch over the network, or nil at the end.
  ///
  /// A URL that a person typed counts as that person's visit, a list of URLs as a crawl.
  ///
  /// - Throws: `Interrupted`, `StorageFailed` if reading fails, and the errors of `passOn`.
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
