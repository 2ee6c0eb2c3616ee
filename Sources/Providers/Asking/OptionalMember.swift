/// An optional part of a request that some models refuse.
public enum OptionalMember: String, Sendable, CaseIterable {
  /// The sampling temperature.
  case temperature
  /// The texts at which the model stops.
  case stop
  /// The level of effort.
  case effort
  /// The marks that select what the provider caches, and the key of the cache.
  case cache
  /// The output limit.
  case limit
  /// The output limit under its older name in the chat completions API.
  case oldLimitName = "max_tokens"
  /// The output limit under its newer name in the chat completions API.
  case newLimitName = "max_completion_tokens"
  /// The request that the provider return its sealed reasoning.
  case include
  /// The request that the provider store nothing.
  case store
  /// The request for token counts at the end of a stream.
  case streamOptions
  /// The required form of the answer.
  case schema
  /// The rule for tool calls.
  case toolChoice

  /// Creates the member from its name in a provider's API, such as `output_config.effort`.
  init?(wire name: String) {
    let member = Self.allCases.first { $0.names.contains(name) }
    guard let member else { return nil }
    self = member
  }

  /// Returns the mark that records that an API refuses `name` as the name of the output limit.
  static func renamed(_ name: String) -> String { "name " + name }

  private var names: Set<String> {
    switch self {
    case .temperature: ["temperature"]
    case .stop: ["stop", "stop_sequences"]
    case .effort:
      [
        "effort", "output_config", "output_config.effort", "reasoning_effort", "reasoning.effort",
        "reasoning",
      ]
    case .cache: ["cache_control", "prompt_cache_key"]
    case .limit: ["max_tokens", "max_completion_tokens", "max_output_tokens"]
    case .oldLimitName: [Self.renamed("max_tokens")]
    case .newLimitName: [Self.renamed("max_completion_tokens")]
    case .include: ["include", "reasoning.encrypted_content"]
    case .store: ["store"]
    case .streamOptions: ["stream_options", "stream_options.include_usage", "include_usage"]
    case .schema: ["response_format", "text", "text.format", "output_config.format"]
    case .toolChoice: ["tool_choice"]
    }
  }
}

extension ModelRequest {
  /// Returns `true` if the request contains the given member.
  func sends(_ member: OptionalMember) -> Bool {
    guard !omitted.contains(member) else { return false }
    return switch member {
    case .temperature: temperature != nil
    case .stop: !stopSequences.isEmpty
    case .effort: effort != nil
    case .cache: cachesSystem || cacheKey != nil || turns.contains { $0.cachedParts != nil }
    case .limit, .oldLimitName, .newLimitName, .include, .store, .streamOptions: true
    case .schema: schema != nil
    case .toolChoice: !tools.isEmpty
    }
  }
}
