import Core
import Testing

@testable import HTTP

@Suite struct MailboxTests {
  private let chunk = HTTPEvent.body([UInt8](repeating: 0, count: 100))

  @Test func `It asks for a pause past its limit and to resume at half of it`() {
    let mailbox = Mailbox(limit: 1000)
    var accepted = 0
    while mailbox.offer(chunk) == .accepted { accepted += 1 }
    #expect(accepted == 7)
    var taken = 0
    while true {
      taken += 1
      if mailbox.next().resumes { break }
    }
    #expect(taken == 4)
    #expect(mailbox.offer(chunk) == .accepted)
  }

  @Test func `The last step stays last`() async {
    let mailbox = Mailbox(limit: 1000)
    #expect(mailbox.offer(chunk) == .accepted)
    mailbox.finish(.failed(Failure(.timeout, "late")))
    mailbox.finish(.failed(Failure(.serverError, "second")))
    #expect(mailbox.offer(chunk) == .abandoned)
    let steps = [await mailbox.wait(), await mailbox.wait(), await mailbox.wait()]
    #expect(
      steps.map { step in
        switch step {
        case .event: "event"
        case .failed(let failure): failure.code.rawValue
        case .finished: "finished"
        }
      } == ["event", "Timeout", "finished"])
  }

  @Test func `Whoever abandons it first aborts the transfer`() {
    let mailbox = Mailbox(limit: 1000)
    #expect(mailbox.abandon())
    #expect(!mailbox.abandon())
    #expect(mailbox.offer(chunk) == .abandoned)
  }
}
