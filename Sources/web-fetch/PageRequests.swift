import Command
import Core
import Fetching

/// What is to be fetched, one after the other; files among the operands are read on the way.
actor PageRequests {
  private let session: Session
  private let fetcher: PageFetcher
  private var operands: ArraySlice<String>
  private let input: WaitingInput?

  init(_ session: Session, _ fetcher: PageFetcher, operands: [String]) {
    self.session = session
    self.fetcher = fetcher
    let readsInput = operands.isEmpty || operands == ["-"]
    self.operands = readsInput ? [] : operands[...]
    input = readsInput ? WaitingInput(session) : nil
  }

  /// The next page to be fetched over the network; nil at the end.
  func next() async throws(Failure) -> PageJob? {
    while let operand = operands.popFirst() {
      if operand.contains("://") { return PageJob(url: operand) }
      do {
        try session.write(try fetcher.read(path: operand))
      } catch {
        guard error.code != .interrupted else { throw error }
        session.fail(error.at(operand))
      }
    }
    guard let input else { return nil }
    while true {
      do {
        guard let item = try await input.next() else { return nil }
        if let job = try job(item) { return job }
      } catch {
        guard error.code == .badInput else { throw error }
        session.fail(error)
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
      try session.passOn(record)
      return nil
    }
  }
}
