import Foundation
import Testing

/// Those who speak chat completions in a way of their own.
enum Relative: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case azure
  case azureDated
  case gitHub
  case local

  /// A model of it, one that OpenAI runs with a limit and a temperature of their own where there is one.
  var model: String {
    switch self {
    case .azure: "azure/gpt-5.5"
    case .azureDated: "azure/our gpt"
    case .gitHub: "github/openai/gpt-5.5"
    case .local: "local/llama3"
    }
  }

  /// Where it is asked, with the query that goes along.
  var path: String {
    switch self {
    case .azure: "/openai/v1/chat/completions"
    case .azureDated:
      "/openai/deployments/our%20gpt/chat/completions?api-version=2024-12-01-preview"
    case .gitHub: "/inference/chat/completions"
    case .local: "/v1/chat/completions"
    }
  }

  var testDescription: String { rawValue }
}

extension Scratch {
  /// Serves models as a relative does, and tells the tools where it is.
  func serveModels(
    _ script: String, as relative: Relative, _ arguments: String...
  ) async throws -> Server {
    let file = try write("given/script.json", script)
    let options = relative == .local ? ["--local"] : []
    let server = try await Server(
      self, "model_server.py", ["--script", file, "--log-bodies"] + options + arguments,
      log: "model.log")
    switch relative {
    case .azure, .azureDated:
      set("AZURE_OPENAI_ENDPOINT", server.url("/"))
      set("AZURE_OPENAI_API_KEY", secret)
      if relative == .azureDated { set("OPENAI_API_VERSION", "2024-12-01-preview") }
    case .gitHub:
      set("GITHUB_MODELS_BASE_URL", server.url("/inference"))
      set("GITHUB_TOKEN", secret)
    case .local: set("LOCAL_BASE_URL", server.url("/v1/"))
    }
    return server
  }
}
