/// How many tokens the contexts of models hold, for who tells of a call and was not told that itself.
public enum ModelContext {
  /// As the vendors' pages of the models have it on November 22, 2026: platform.claude.com/docs/en/models
  /// and developers.openai.com/api/docs/models.
  private static let known = [
    "claude-opus-4-6": 1_000_000, "claude-sonnet-4-6": 1_000_000,
    "claude-haiku-4-5-20251001": 200_000, "claude-haiku-4-5": 200_000, "gpt-5-mini": 400_000,
  ]

  /// How much the context of a model holds; nil where that is not known.
  ///
  /// - Parameter model: The name that the provider knows it by.
  /// - Returns: Tokens.
  public static func tokens(of model: String) -> Int? { known[model] }
}
