import Core
import Testing

@testable import Providers

struct AttemptTests {
  @Test func `an answer in which a secret was masked is not kept as it was sealed`() {
    let secret = "key-of-attempt-tests-0123456789"
    Secrets.register(secret)
    for (content, isKept) in [("[{\"a\":\"\(secret)\"}]", false), ("[{\"a\":\"b\"}]", true)] {
      let attempt = Attempt()
      var answer = ModelAnswer()
      answer.blocks = [.text("Done.")]
      answer.opaque = Message.Opaque(api: "anthropic", content: content)
      _ = attempt.receive(.answer(answer))
      #expect((attempt.state.answer?.opaque != nil) == isKept)
    }
  }

  @Test func `that a model thinks is told once, whatever comes of it`() {
    let attempt = Attempt()
    #expect(attempt.receive(.piece(.reasoning(""))).count == 1)
    #expect(attempt.receive(.piece(.reasoning(""))).isEmpty)
    #expect(attempt.receive(.piece(.reasoning("because"))).count == 1)
    #expect(attempt.state.hasThought && attempt.state.firstPiece != nil)
  }

  @Test func `what a 400 names is left out where the request has it`() {
    var request = ModelRequest(system: "", turns: [], temperature: 0.5)
    request.stopSequences = ["END"]
    request.maximumOutputTokens = 32_000
    func amended(
      _ names: [String], status: Int = 400, isForGood: Bool = true, isBound: Bool = false
    ) -> Amendment? {
      let attempt = Attempt()
      _ = attempt.receive(.head(status: status, shouldRetry: nil))
      _ = attempt.receive(
        .rejected(Rejection(names: names, isForGood: isForGood, isBoundBlock: isBound)))
      return Amendment(request, attempt.state)
    }
    #expect(amended(["temperature"])?.kind == .member(.temperature))
    #expect(amended(["mood", "stop_sequences"])?.kind == .member(.stop))
    #expect(amended(["max_output_tokens"], isForGood: false)?.request.maximumOutputTokens == 4096)
    #expect(amended(["temperature"], isForGood: false) == nil)
    #expect(amended(["model", "messages", "effort"]) == nil)
    #expect(amended(["temperature"], status: 422) == nil)
    #expect(amended([], isBound: true) == nil)
  }

  @Test(arguments: [
    (#"{"message":"No.","param":"temperature","code":"unsupported_value"}"#, "temperature", true),
    (#"{"message":"`temperature` is deprecated for this model."}"#, "temperature", true),
    (#"{"message":"It doesn't support 'stop' here"}"#, "stop", true),
    (#"{"message":"Invalid schema for 'response_format'"}"#, "response_format", false),
    (
      #"{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}"#,
      "name max_tokens", true
    ),
    (#"{"message":"'max_tokens' is too large: 32000."}"#, "max_tokens", false),
  ])
  func `an error names what it is about, and whether that is for good`(
    error: String, name: String, isForGood: Bool
  ) {
    for body in ["{\"error\":\(error)}", "[{\"error\":\(error)}]"] {
      let rejection = ProviderError(body: Array(body.utf8)).rejection
      #expect(rejection.names.first { OptionalMember(wire: $0) != nil } == name)
      #expect(rejection.isForGood == isForGood && !rejection.isBoundBlock)
    }
  }

  @Test(arguments: [
    #"{"message":"messages.1.content.0: Invalid `signature` in `thinking` block"}"#,
    #"{"message":"The block is bound to a different conversation"}"#,
    #"{"code":"invalid_encrypted_content"}"#,
  ])
  func `thinking of another conversation is known by its error`(error: String) {
    #expect(ProviderError(JSONObject("{\"error\":\(error)}")).rejection.isBoundBlock)
  }
}
