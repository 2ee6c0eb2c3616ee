import Foundation
import Testing

/// Requests whose body ends in one place for the hub and in another for a proxy before it.
@Suite("hub-serve, framing")
struct HubFramingTests {
  @Test(
    "a body in another transfer coding than chunked is refused, and the connection closes",
    arguments: [
      ("1.0", "Transfer-Encoding: chunked"), ("1.1", "Transfer-Encoding: gzip, chunked"),
      ("1.1", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"),
      ("1.1", "Transfer-Encoding: identity"), ("1.1", "Transfer-Encoding: gzip"),
    ])
  func refused(_ version: String, _ field: String) async throws {
    try await Scratch.withHub { scratch, _ in
      let host = "Host: 127.0.0.1:\(scratch.hubPort)\r\n"
      let health = "GET /health HTTP/1.1\r\n\(host)\r\n"
      let request =
        "POST /v1/auth/device/register HTTP/\(version)\r\n\(host)\(field)\r\n\r\n"
        + "2\r\n{}\r\n0\r\n\r\n"
      // The first request of a connection takes another way than those behind it.
      for before in ["", health] {
        try scratch.write("work/request", before + request + health)
        let run = try await scratch.shell(
          "exec 3<>/dev/tcp/127.0.0.1/\(scratch.hubPort); cat request >&3; timeout 280 cat <&3")
        #expect(run.statuses == [0])
        let answers = run.output.components(separatedBy: "HTTP/1.1 ").dropFirst()
        #expect(answers.map { $0.prefix(3) } == (before.isEmpty ? ["400"] : ["200", "400"]))
        #expect(answers.last?.contains(#""code":"BadInput""#) == true)
      }
    }
  }

  @Test func `a chunked body is read in whatever case its coding is written`() async throws {
    try await Scratch.withHub { scratch, _ in
      let run = try await scratch.shell(
        "curl -s -H 'Transfer-Encoding: Chunked' -d '{}' $HUB/v1/auth/device/register | jq -r .input"
      )
      #expect(run.output == "code\n")
    }
  }
}
