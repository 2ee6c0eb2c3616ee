import Command
import Core
import Fetching

/// What is to be fetched, one after the other.
actor PageRequests {
  private let session: Session
  private var operands: ArraySlice<String>
  private let input: WaitingInput?

  /// Creates the source: the operands, or stdin when it is to be read.
  init(_ session: Session, operands: [String], readsInput: Bool) {
    self.session = session
    self.operands = operands[...]
    input = readsInput ? WaitingInput(session) : nil
  }

  /// The next page to be fetched over the network; nil at the end.
  func next() async throws(Failure) -> PageJob? {
    if let operand = operands.popFirst() { return PageJob(url: operand) }
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
