/// Details of a call's token counts, which `llm` copies from OpenAI's APIs.
struct LLMTokenDetails: Decodable {
  private enum CodingKeys: String, CodingKey {
    case prompt = "prompt_tokens_details"
    case input = "input_tokens_details"
    case completion = "completion_tokens_details"
    case output = "output_tokens_details"
  }

  private struct Part: Decodable {
    enum CodingKeys: String, CodingKey {
      case cached = "cached_tokens"
      case reasoning = "reasoning_tokens"
    }

    var cached: Int?
    var reasoning: Int?
  }

  private var prompt: Part?
  private var input: Part?
  private var completion: Part?
  private var output: Part?

  /// The number of input tokens that were read from a cache.
  var cached: Int? { (prompt ?? input)?.cached }
  /// The number of output tokens that were reasoning.
  var reasoning: Int? { (completion ?? output)?.reasoning }
}
