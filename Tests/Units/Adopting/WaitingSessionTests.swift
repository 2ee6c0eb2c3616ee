import CodingAgents
import Core
import Events
import Foundation
import Testing

@testable import Adopting

/// What is reported of a session that waits.
struct WaitingSessionTests {
  private static let key = SessionKey(.claude, "s")
  private let start = Timestamp(milliseconds: 1_772_013_600_000)

  @Test func `the cause of a wait and a name are reported when they change`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = session.begin(at: start, heartbeat: 15, process: "certain")
    func set(_ status: AgentStatus, _ cause: WaitCause?, _ name: String?) -> [String] {
      let events = session.set(
        status, for: cause, named: name, isHeartbeat: false, at: start, process: "certain")
      return events.compactMap { $0 as? TraceEvent }.map { event in
        [EventAttribute.status, .waitingFor, .sessionName, .heartbeat].map { name in
          switch event.attrs[name.rawValue] {
          case .string(let word): word
          case .bool(true): "beat"
          default: "-"
          }
        }.joined(separator: " ")
      }
    }
    #expect(set(.waiting, .permission, nil) == ["waiting permission - -"])
    #expect(set(.waiting, .permission, nil) == [])
    #expect(set(.waiting, .prompt, nil) == ["waiting prompt - -"])
    // A name alone is no sign of activity.
    #expect(set(.waiting, .prompt, "shop-59") == ["waiting prompt shop-59 beat"])
    #expect(set(.waiting, .prompt, nil) == [])
    #expect(set(.running, nil, nil) == ["running - shop-59 -"])
    _ = set(.waiting, .question, "shop")
    let record = session.record(process: "certain", at: start)
    #expect(record.waitingFor == .question && record.name == "shop")
    let stored = try JSONDecoder().decode(AdoptedSession.self, from: JSONEncoder().encode(session))
    #expect(stored.record(process: nil, at: start).waitingFor == .question)
  }
}
