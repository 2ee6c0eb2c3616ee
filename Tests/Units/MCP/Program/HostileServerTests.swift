import Core
import Foundation
import TestSupport
import Testing

@testable import MCP

/// Programs that die, do not start, or write what is not a message.
@Suite(.serialized) struct HostileServerTests {
  @Test func `a server that ends during a call leaves its outcome unknown`() async throws {
    let made = try MadeServer()
    let failure = await failed { () throws(Failure) in _ = try await made.call("die") }
    #expect(failure?.code == .toolFailed && failure?.kind == .unknownOutcome)
    #expect(
      failure?.explanation
        == "'mcp:made' ended with status 3 before it answered 'tools/call': out of memory")
    #expect(try made.methods.filter { $0 == "tools/call" }.count == 1)
    // The next call starts it again.
    #expect(try await made.call("echo").text == "{}")
    #expect(made.allNotes.contains(.line("a line")))
  }

  @Test func `a repeatable call is sent to a new start, once`() async throws {
    let made = try MadeServer()
    let mark: [String: JSONValue] = ["once": .string(made.path("mark"))]
    #expect(try await made.call("die", mark, isRepeatable: true).text == "alive")
    let failure = await failed { () throws(Failure) in
      _ = try await made.call("die", isRepeatable: true)
    }
    #expect(failure?.kind == .unknownOutcome)
    #expect(try made.methods.filter { $0 == "tools/call" }.count == 4)
  }

  @Test func `all calls that wait for a dead server fail, and none is sent again`() async throws {
    let made = try MadeServer()
    async let held = failed { () throws(Failure) in
      _ = try await made.call("hold", ["tell": .bool(true)])
    }
    #expect(await made.progress() != nil)
    let died = await failed { () throws(Failure) in _ = try await made.call("die") }
    #expect(died?.kind == .unknownOutcome)
    #expect(await held?.kind == .unknownOutcome)
    #expect(try made.methods.filter { $0 == "tools/call" }.count == 2)
  }

  @Test func `a server that does not start is reported with its last line`() async throws {
    let dead = try MadeServer(["--start", "dead"])
    let failure = await failed { () throws(Failure) in _ = try await dead.client.tools() }
    #expect(failure?.code == .toolFailed && failure?.kind == .notStarted)
    #expect(
      failure?.explanation
        == "'mcp:made' ended with status 1 before its first answer: no such model")
    #expect(dead.allNotes.contains(.line("cannot load <U+001B>[31mthe model")))
    for (program, folder) in [("no-such-program", nil), ("cat", "/no/such/folder")] {
      let made = try MadeServer(program: [program], folder: folder)
      let failure = await failed { () throws(Failure) in
        _ = try await made.client.tools()
      }
      #expect(failure?.code == .toolFailed && failure?.kind == .notStarted)
    }
  }

  @Test func `a program that echoes or ends at once is no server`() async throws {
    let ended = try MadeServer(program: ["true"])
    let failure = await failed { () throws(Failure) in _ = try await ended.client.tools() }
    #expect(failure?.kind == .notStarted)
    // Our own requests come back as requests, which are refused, and so on.
    let echo = try MadeServer(program: ["cat"], timeout: .milliseconds(300))
    let other = await failed { () throws(Failure) in _ = try await echo.client.tools() }
    #expect(other != nil)
  }

  @Test func `lines that are not messages are skipped, counted and reported once`() async throws {
    let made = try MadeServer()
    #expect(try await made.call("noise").text == "heard")
    await made.client.close()
    #expect(
      made.allNotes == [
        .fault("'mcp:made' wrote 6 lines on standard output that are not messages")
      ])
  }

  @Test func `an answer that cannot be read fails its call at once, and no other`() async throws {
    let made = try MadeServer()
    for (tool, arguments) in [
      ("deep", [:]), ("broken", ["result": JSONValue.null]),
      ("broken", ["result": .string("text")]),
    ] {
      let failure = await failed { () throws(Failure) in _ = try await made.call(tool, arguments) }
      #expect(failure?.code == .invalidResponse)
      #expect(
        failure?.explanation
          == "'mcp:made' sent an answer to 'tools/call' that is malformed or nested too deeply")
      #expect(try await made.call("echo").text == "{}")
    }
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":3,"result":{"a":NaN}}"#, [3]), (#"{"jsonrpc":"2.0","id":3"#, [3]),
    (#"{"result":{"id":4,"method":"m"},"a":"id","id" : 5 ,"jsonrpc":"2.0"}"#, [5]),
    (#"[{"jsonrpc":"2.0","id":1,"error":7},{"jsonrpc":"2.0","id":2,"result":[[[}]"#, [1, 2]),
    (#"{"jsonrpc":"2.0","id":3,"method":"ping","params":[}"#, []),
    (#"{"id":3,"level":"warn"}"#, []),
    (#"{"jsonrpc":"2.0","id":"3","result":7}"#, []), (#""jsonrpc":"2.0","id":3"#, []), ("", []),
    (#"{"jsonrpc":"2.0","a\"id":3,"result":"\"#, []), ("}}}{\"id\":", []),
  ])
  func `the ids of answers are found in what is not JSON`(_ line: String, _ ids: [Int]) {
    #expect(UnreadableAnswers(Array(line.utf8)).ids == ids)
  }

  @Test func `answers to other requests are ignored`() async throws {
    let made = try MadeServer()
    #expect(try await made.call("foreign").text == "own")
    #expect(try await made.call("echo").text == "{}")
  }

  @Test func `a message over 16 MiB ends the connection`() async throws {
    let made = try MadeServer()
    let failure = await failed { () throws(Failure) in
      _ = try await made.call("big", isRepeatable: true)
    }
    #expect(failure?.code == .invalidResponse && failure?.kind == .tooLarge)
    #expect(try made.methods.filter { $0 == "tools/call" }.count == 1)
    #expect(try await made.call("echo").text == "{}")
  }

  @Test func `random bytes are no messages`() async throws {
    let made = try MadeServer(
      program: ["sh", "-c", "head -c 300000 /dev/urandom; exec sleep 1000"],
      timeout: .milliseconds(500))
    let failure = await failed { () throws(Failure) in _ = try await made.client.tools() }
    #expect(failure?.code == .timeout)
  }

  @Test func `closing ends the program, and a later call starts another`() async throws {
    let made = try MadeServer()
    _ = try await made.client.tools()
    await made.client.close()
    await made.client.close()
    #expect(try await made.call("echo").text == "{}")
    #expect(try made.methods.filter { $0 == "server/discover" }.count == 2)
    await made.client.close()
  }
}
