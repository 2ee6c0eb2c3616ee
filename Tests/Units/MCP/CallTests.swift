import Core
import MCP
import Testing

/// Calls of tools, and what servers answer.
@Suite(.serialized) struct CallTests {
  @Test func `arguments arrive as they were, and text comes back as it was`() async throws {
    let made = try MadeServer()
    let arguments: [String: JSONValue] = [
      "text": .string("ä\n\"\\\u{1F600}\u{2028}"), "big": .int(.max), "half": .double(0.5),
      "list": .array([.null, .bool(true), .object([:])]),
    ]
    #expect(try await made.call("echo", arguments).json == .object(arguments))
  }

  @Test func `a tool that fails has a result, and an error is a failure`() async throws {
    let made = try MadeServer()
    let result = try await made.call("fail")
    #expect(result.isError && result.text == "it failed")
    let kinds: [(Int, FailureCode, FailureKind?)] = [
      (-32602, .toolFailed, .invalidParams), (-32601, .toolFailed, .methodNotFound),
      (-32603, .toolFailed, .internalError), (-32000, .toolFailed, nil),
      (-32021, .toolFailed, .missingCapability),
    ]
    for (code, expected, kind) in kinds {
      let failure = await failed { () throws(Failure) in
        _ = try await made.call("error", ["code": .int(code)])
      }
      #expect(failure?.code == expected && failure?.kind == kind)
      #expect(failure?.explanation == "'mcp:made' refused 'error': <U+001B>[31mno way")
      #expect(failure?.storedExplanation == "'mcp:made' refused 'error'")
    }
    let long = await failed { () throws(Failure) in
      _ = try await made.call("error", ["message": .string(String(repeating: "x", count: 99_999))])
    }
    #expect(long?.explanation.count ?? 0 < 1100)
    let unknown = await failed { () throws(Failure) in _ = try await made.call("nothing") }
    #expect(unknown?.code == .toolFailed && unknown?.kind == .invalidParams)
  }

  @Test func `a result that is no result is an invalid response`() async throws {
    let made = try MadeServer()
    let results: [JSONValue] = [
      .object([:]), .object(["resultType": .string("strange"), "content": .array([])]),
      .object(["content": .string("text")]), .object(["content": .array([.string("text")])]),
      .object(["resultType": .string("input_required")]),
      .object(["resultType": .string("input_required"), "inputRequests": .array([])]),
      .object([
        "resultType": .string("input_required"), "inputRequests": .object(["a": .int(1)]),
      ]),
    ]
    for result in results {
      let failure = await failed { () throws(Failure) in
        _ = try await made.call("broken", ["result": result])
      }
      #expect(failure?.code == .invalidResponse, "\(result)")
    }
    // The connection goes on, or a new one is opened.
    #expect(try await made.call("echo").text == "{}")
  }

  @Test func `each request describes the client and carries the span`() async throws {
    let span = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let made = try MadeServer(person: SamePerson(.decline), traceparent: span)
    let meta = try await made.call("structured").structuredContent?.members?["meta"]?.members
    #expect(meta?["traceparent"] == .string(span))
    #expect(meta?["io.modelcontextprotocol/protocolVersion"] == .string("2026-07-28"))
    #expect(
      meta?["io.modelcontextprotocol/clientCapabilities"]
        == .object(["elicitation": .object(["form": .object([:]), "url": .object([:])])]))
    let alone = try MadeServer()
    let plain = try await alone.call("structured").structuredContent?.members?["meta"]?.members
    #expect(plain?["io.modelcontextprotocol/clientCapabilities"] == .object([:]))
    #expect(plain?["traceparent"] == nil)
  }

  @Test func `many calls run at once, and each gets its own answer`() async throws {
    let made = try MadeServer()
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          let result = try? await made.call("echo", ["n": .int(number)])
          return result?.text == #"{"n": \#(number)}"#
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(try made.methods.filter { $0 == "server/discover" }.count == 1)
  }

  @Test func `an answer may overtake another`() async throws {
    let made = try MadeServer()
    async let held = made.call("hold", ["tell": .bool(true)])
    #expect(await made.progress() == "'mcp:made': 1: held")
    #expect(try await made.call("release").text == "released")
    #expect(try await held.text == "held")
  }

  @Test(arguments: ["modern", "old"])
  func `a cancelled call is cancelled at the server`(_ era: String) async throws {
    let made = try MadeServer(["--era", era])
    let call = Task { () -> Failure? in
      await failed { () throws(Failure) in _ = try await made.call("never") }
    }
    #expect(await made.progress() == "'mcp:made': 1: begun")
    call.cancel()
    #expect(await call.value?.code == .interrupted)
    // The server reads messages in order.
    #expect(try await made.call("echo").text == "{}")
    let messages = try made.received
    let begun = messages.first { $0.members?["method"] == .string("tools/call") }?.members?["id"]
    let cancelled = messages.first {
      $0.members?["method"] == .string("notifications/cancelled")
    }
    #expect(begun != nil && cancelled?.members?["params"]?.members?["requestId"] == begun)
  }

  @Test func `a call of a cancelled task is not sent`() async throws {
    let made = try MadeServer()
    #expect(try await made.call("echo").text == "{}")
    let call = Task { () -> Failure? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await failed { () throws(Failure) in _ = try await made.call("never") }
    }
    #expect(await call.value?.code == .interrupted)
    #expect(try await made.call("echo", ["b": .int(2)]).text == #"{"b": 2}"#)
    #expect(try made.methods.filter { $0 == "tools/call" }.count == 2)
  }
}
