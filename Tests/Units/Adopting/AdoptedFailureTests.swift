import CodingAgents
import Core
import Events
import Foundation
import TestSupport
import Testing

@testable import Adopting

/// The events of failed model calls, and of answers that are not whole.
struct AdoptedFailureTests {
  private let start = Timestamp(milliseconds: 1_795_845_600_000)
  private let now = Timestamp(milliseconds: 1_795_900_000_000)

  /// Returns the events of the given contents, one a second, and of the end of the process.
  private func events(
    _ contents: [SessionEntry.Content], _ session: inout AdoptedSession, by agent: CodingAgent
  ) throws -> [any Event] {
    var found = session.begin(at: start, heartbeat: nil, process: "none")
    for (second, content) in contents.enumerated() {
      let entry = SessionEntry(
        SessionKey(agent, "s"), content, at: start.adding(seconds: Double(second)))
      found += session.fold(entry, at: now, reporting: true)
      // A file that is read again repeats its lines.
      found += session.fold(entry, at: now, reporting: true)
      session = try JSONDecoder().decode(
        AdoptedSession.self, from: JSONEncoder().encode(session))
    }
    return found + session.end(.finished, at: start.adding(seconds: 60))
  }

  private func words(
    _ contents: SessionEntry.Content..., by agent: CodingAgent = .claude
  ) throws -> [String] {
    var session = AdoptedSession(SessionKey(agent, "s"), swarm: nil)
    let found = try events(contents, &session, by: agent)
    return EventWords.of(found).filter { !$0.hasPrefix("invoke_agent start") }
  }

  private func answer(_ id: String, _ failure: Failure? = nil) -> SessionEntry.Content {
    var answer = SessionAnswer(id: id)
    answer.failure = failure
    return .answer(answer)
  }

  private let prompt = SessionEntry.Content.prompt(SessionPrompt(text: "secret"))

  @Test func `retries are warnings, and the failure after the last one is the error`() throws {
    let failure = Failure(.overloaded, "secret", kind: "overloadedError", status: 529)
    let events = try words(
      prompt, .retry(SessionRetry(after: failure, number: 1, of: 10)),
      .retry(SessionRetry(after: failure, number: 2)),
      .retry(SessionRetry(after: Failure(.timeout, "secret"), number: nil)),
      .failure(failure))
    #expect(
      events == [
        "info a prompt",
        "warn a call of the model failed: Overloaded, status 529, overloadedError, retry 1 of 10",
        "warn a call of the model failed: Overloaded, status 529, overloadedError, retry 2",
        "warn a call of the model failed: Timeout, which is repeated",
        "error a call of the model failed: Overloaded, status 529, overloadedError",
        "invoke_agent end error Overloaded",
      ])
  }

  @Test func `a failed turn is an error, also of the agent, until it goes on`() throws {
    let failure = Failure(.rateLimited, "secret", kind: "usageLimitExceeded")
    var session = AdoptedSession(SessionKey(.codex, "s"), swarm: nil)
    let found = try events(
      [prompt, .failure(failure), .turn(.ended)], &session, by: .codex)
    #expect(
      EventWords.of(found).suffix(2) == [
        "error a call of the model failed: RateLimited, usageLimitExceeded",
        "invoke_agent end error RateLimited",
      ])
    let end = try #require(found.last as? TraceEvent)
    #expect(end.attrs["agentpipes.error.kind"] == .string("usageLimitExceeded"))
    #expect(session.record(process: nil, at: now).status == .error)
    for next in [prompt, answer("a")] {
      #expect(
        try words(prompt, .failure(failure), .turn(.ended), next, by: .codex).last
          == "invoke_agent end finished")
    }
    // A subagent that fails is no failure of its session.
    var parent = AdoptedSession(SessionKey(.claude, "s"), swarm: nil)
    _ = parent.begin(at: start, heartbeat: nil, process: "none")
    let side = SessionEntry(SessionKey(.claude, "s", subagent: "x"), .failure(failure), at: start)
    #expect(EventWords.of(parent.fold(side, at: now, reporting: true)).count == 1)
    #expect(EventWords.of(parent.end(.finished, at: now)).last == "invoke_agent end finished")
  }

  @Test func `an answer that was refused or cut is a warning, once`() throws {
    let refusal = Failure(.modelRefused, "secret", kind: "refusal")
    let events = try words(answer("a", refusal), answer("a", refusal), answer("b"))
    #expect(
      events == [
        "warn an answer is not complete: ModelRefused, refusal", "invoke_agent end finished",
      ])
    let failed = try words(
      answer("a", Failure(.serverError, "secret", kind: "apiError", status: 503)), by: .opencode)
    #expect(
      failed == [
        "error a call of the model failed: ServerError, status 503, apiError",
        "invoke_agent end error ServerError",
      ])
    #expect(
      try words(answer("a", Failure(.interrupted, "secret")), by: .opencode) == [
        "info a person interrupted the work", "invoke_agent end finished",
      ])
  }

  @Test func `events of calls have the size of the context`() throws {
    func sizes(_ call: SessionCall, by agent: CodingAgent) throws -> [JSONValue?] {
      var session = AdoptedSession(SessionKey(agent, "s"), swarm: nil)
      return try events([.call(call), .turn(.ended)], &session, by: agent).compactMap { event in
        guard let event = event as? TraceEvent, event.name == "chat", event.phase == .end else {
          return nil
        }
        return event.attrs["agentpipes.context.max_tokens"]
      }
    }
    var call = SessionCall(
      id: "c", answer: "c", model: "gpt-5.5", usage: Usage(inputTokens: 9, outputTokens: 1))
    #expect(try sizes(call, by: .codex) == [.int(1_050_000)])
    call.contextTokens = 258_400
    #expect(try sizes(call, by: .codex) == [.int(258_400)])
    call.contextTokens = nil
    call.model = "claude-opus-5-5"
    #expect(try sizes(call, by: .claude) == [.int(1_000_000)])
    // Claude Code uses less than these models have, unless a person chooses more.
    call.model = "claude-opus-4-6"
    #expect(try sizes(call, by: .claude) == [.int(200_000)])
    call.usage = Usage(inputTokens: 200_001, outputTokens: 1)
    #expect(try sizes(call, by: .claude) == [.int(1_000_000)])
    call.model = "unheard-of"
    #expect(try sizes(call, by: .claude) == [nil])
  }
}
