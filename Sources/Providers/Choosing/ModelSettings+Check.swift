public import Core
import Foundation

extension Settings.ModelSettings {
  /// Rejects settings that can never work for the given model.
  ///
  /// - Parameter name: The model's name.
  /// - Throws: `BadUsage`, with the reason, if the settings cannot work.
  public func check(_ name: String) throws(Failure) {
    let isName =
      !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix("-") && Visible.line(name) == name
    guard isName else {
      throw Failure(
        .badUsage, "'\(Visible.line(String(name.prefix(80))))' is not a valid model name")
    }
    if let provider, ModelName.ProviderName(rawValue: provider) == nil {
      let known = ModelName.ProviderName.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        .badUsage, "unknown provider '\(Visible.line(provider))': expected one of \(known)",
        input: name)
    }
    if let kind, !Self.kinds.contains(kind) {
      throw Failure(
        .badUsage,
        "unknown kind '\(Visible.line(kind))': expected one of \(Self.kinds.joined(separator: ", "))",
        input: name)
    }
    if let endpoint {
      let parts = URLComponents(string: endpoint)
      let isWeb = ["http", "https"].contains(parts?.scheme?.lowercased() ?? "")
      guard let parts, isWeb, parts.host?.isEmpty == false, parts.user == nil,
        parts.fragment == nil, Visible.line(endpoint) == endpoint
      else {
        throw Failure(
          .badUsage, "the endpoint must be an http or https URL without user name and password",
          input: name)
      }
    }
    // The name may also resolve to another configured model.
    _ = try named(name)
  }

  private func named(_ name: String) throws(Failure) -> ModelName {
    do throws(Failure) {
      var settings = Settings()
      settings.models[name] = self
      return try ModelName(name, settings)
    } catch {
      throw Failure(
        .badUsage, "'\(name)' has no provider and no endpoint", input: name,
        nextStep: "set one of them")
    }
  }
}
