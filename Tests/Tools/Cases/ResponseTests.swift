import TestSupport
import Testing

/// The times from alerts to what people do.
@Suite("responses to alerts")
struct ResponseTests {
  @Test func `the first look at an incident and the first control of its agent are timed`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-control threshold incident all 1 >/dev/null")
      for agent in ["a", "b"] {
        _ = try scratch.starting(
          "agent-run", "--agent", agent, "--", "sh", "-c",
          "echo 'ERROR: the disk of \(agent) is full'; exec sleep 600")
        try await scratch.until("it is an alert") {
          try scratch.output(of: "agent-stat incidents | jq -r 'select(.alertedAt).agentId'")
            .contains(agent)
        }
      }
      let members = "jq -c '[.agentId, (.firstSeenAt | type), (.firstControlAt | type)]'"
      let id = "$(agent-stat incidents | jq -r 'select(.agentId == \"a\").id')"
      let show = "agent-stat incident \(id) | head -n 1"
      try await scratch.shell("agent-stat incidents | \(members) | sort")
      try await scratch.shell("\(show) | \(members)")
      let seen = try scratch.output(of: "\(show) | jq .firstSeenAt")
      #expect(try scratch.output(of: "\(show) | jq .firstSeenAt") == seen)
      try await scratch.shell(
        "agent-control pause agent a --reason look --wait 4m | jq -r .outcome")
      try await scratch.shell("agent-stat incidents | \(members) | sort")
      let kinds = "jq -c 'map_values(if type == \"string\" then . else type end) | del(.since)'"
      try await scratch.shell("agent-stat response | \(kinds)")
      try await scratch.shell("agent-stat response | jq -c '[.alerted, .seen, .controlled]'")
      try await scratch.shell("agent-stat response --since 2100-01-01T00:00:00Z --text")
      try await scratch.shell(
        "agent-control close incident $(agent-stat incidents | jq -r .id) | \(members) | sort")
      try await scratch.shell("agent-stat response --since 1h | jq -c '[.seen, .controlled]'")
      try scratch.expectGolden("agent-stat/response")
    }
  }
}
