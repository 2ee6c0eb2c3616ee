import Events
import Testing

/// How the log of a command that ended badly is known.
struct AgentEndTests {
  @Test func `it is known also behind the device that sent it to a hub`() {
    let id = AgentEnd.sourceId(ofRun: "0199")
    #expect(AgentEnd.isSourceId(id) && AgentEnd.isSourceId("0188/\(id)"))
    // What a command calls its own has the run in front.
    for other in ["0199:\(id)", "0199:x/\(id)", "0188/0199:x/\(id)", "x\(id)", "/"] {
      #expect(!AgentEnd.isSourceId(other), "\(other)")
    }
  }
}
