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
    func amended(_ names: [String], status: Int = 400) -> Amendment? {
      let attempt = Attempt()
      _ = attempt.receive(.head(status: status, shouldRetry: nil))
      _ = attempt.receive(.rejected(names))
      return Amendment(request, attempt.state)
    }
    #expect(amended(["temperature"])?.kind == .member(.temperature))
    #expect(amended(["mood", "stop_sequences"])?.kind == .member(.stop))
    #expect(amended(["max_output_tokens"])?.request.sends(.limit) == false)
    #expect(amended(["model", "messages", "effort"]) == nil)
    #expect(amended(["temperature"], status: 422) == nil)
    #expect(amended([ProviderError.boundBlock]) == nil)
  }

  @Test(arguments: [
    (#"{"error":{"message":"No.","param":"temperature"}}"#, ["temperature"]),
    (#"{"error":{"message":"`temperature` is deprecated for this model."}}"#, ["temperature"]),
    (#"{"error":{"message":"Unknown 'a' and \"b\""}}"#, ["a", "b"]),
    (
      #"{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}"#,
      ["limitName", "limitName", "limitName"]
    ),
    (
      #"{"error":{"message":"messages.1.content.0: Invalid `signature` in `thinking` block"}}"#,
      ["thinking block"]
    ),
    (
      #"{"error":{"message":"The block is bound to a different conversation"}}"#, ["thinking block"]
    ),
    (#"{"error":{"code":"invalid_encrypted_content"}}"#, ["thinking block"]), ("{}", []),
  ])
  func `an error names what it is about`(body: String, names: [String]) {
    #expect(ProviderError(JSONObject(body)).rejectedNames == names)
    #expect(ProviderError(body: Array("[\(body)]".utf8)).rejectedNames == names)
  }
}
