public import Core

/// The pages that were requested.
///
/// They are the URLs that a person typed, followed by the lines of an input.
public actor PageRequests {
  private var operands: ArraySlice<String>
  private let input: WaitingInput?
  private let passOn: @Sendable (RawRecord) throws(Failure) -> Void
  private let report: @Sendable (Failure) -> Void

  /// Creates the source of requests.
  ///
  /// - Parameters:
  ///   - operands: The URLs that a person typed.
  ///   - input: A reader of records, or of URLs on separate lines; nil to read none.
  ///   - passOn: A function that receives each record that has no URL.
  ///   - report: A function that receives the failure for each invalid line. Reading continues with
  ///     the next line.
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

  /// Returns the next page to fetch over the network; nil at the end.
  ///
  /// Only URLs from the input obey robots.txt. A URL that a person typed counts as that person's
  /// visit.
  ///
  /// - Throws: `Interrupted` if the wait is interrupted; `StorageFailed` if the input cannot be
  ///   read; otherwise any error that `passOn` throws.
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
