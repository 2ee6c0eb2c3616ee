import Core
import Extraction
import Providers
import Synchronization
import Testing

struct ExtractiveProviderTests {
  @Test func `it sends its text, no usage, and its name`() async throws {
    let events = Mutex<[ModelEvent]>([])
    let request = ModelRequest(
      system: "", turns: [], brief: Brief(role: .ceo, goal: "A goal", task: "Plan"))
    try await ExtractiveProvider().send(request, model: "extractive") { event in
      events.withLock { $0.append(event) }
    }
    let sent = events.withLock { $0 }
    guard case .answer(let answer) = sent.last else {
      Issue.record("no answer at the end")
      return
    }
    #expect(answer.model == "extractive")
    #expect(answer.usage == Usage())
    #expect(sent == [.piece(.text(answer.text)), .usage(Usage()), .answer(answer)])
  }
}
