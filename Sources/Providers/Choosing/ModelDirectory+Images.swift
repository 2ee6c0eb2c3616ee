import Catalogue
public import Core
public import HTTP

extension ModelDirectory {
  /// Chooses a model that generates images.
  ///
  /// - Parameters:
  ///   - name: `provider/name` or a bare name. If nil, the first of these that exists is used: the
  ///     model in `AGENTPIPES_IMAGE_MODEL`, the first configured model of kind `image` by name,
  ///     OpenAI's default.
  ///   - retry: The policy for retries.
  /// - Returns: The client for the chosen model.
  /// - Throws: As ``choose(_:)``.
  public func imageMaker(
    _ name: String?, retry: RetryPolicy = RetryPolicy()
  ) throws(Failure) -> ImageMaker {
    let described = configuration.models.filter { $0.value.kind == "image" }.keys.min()
    let named = [name, environment["AGENTPIPES_IMAGE_MODEL"], described]
    let usual = catalogue.defaultModel(of: "openai", kind: "image").map { "openai/\($0)" }
    guard let text = named.lazy.compactMap(\.self).first(where: { !$0.isEmpty }) ?? usual else {
      throw Failure(.notFound, "there is no image model", kind: .model)
    }
    let model = try self.name(text)
    try checkLife(model, facts(model))
    let endpoint: OpenAIEndpoint
    switch model.provider {
    case .openai, .azure, .github, .local: endpoint = try endpoints.openAI(model)
    case .anthropic, .apple, .extractive:
      throw Failure(
        .notFound, "'\(model.provider.rawValue)' has no image models",
        kind: .unavailable, input: text)
    }
    if let kind = endpoints.settings(model)?.kind, kind != "image" {
      throw Failure(
        .badConfiguration,
        "'models.\(model.configured ?? model.name).kind' is '\(kind)': expected 'image'",
        input: model.name)
    }
    if endpoints.settings(model)?.kind == nil, let kind = facts(model).kind, kind != "image" {
      throw Failure(
        .notFound,
        "'\(model.name)' is not an image model but of kind '\(Visible.line(kind))'",
        kind: .unavailable, input: text)
    }
    let qualities = facts(model).refuses.filter { $0.hasPrefix("quality.") }
    return ImageMaker(
      name: model.name, refusedQualities: qualities.map { String($0.dropFirst("quality.".count)) },
      model: model.name, endpoint: endpoint, retry: retry, client: client,
      timeouts: timeouts, report: report)
  }
}
