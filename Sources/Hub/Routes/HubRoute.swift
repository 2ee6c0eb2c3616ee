import Core
import HTTPTypes
import Hummingbird

/// One question that a hub answers.
struct HubRoute: Sendable {
  typealias Handler = @Sendable (HubRequest) async throws(Failure) -> HubAnswer

  /// The method.
  var method: HTTPRequest.Method
  /// The path; a part in braces is a parameter.
  var path: String
  /// Who may ask.
  var audience = Audience.operators
  /// What it is answered with.
  var handler: Handler
  /// What a failure is answered with.
  var failed: @Sendable (Failure) -> HubAnswer = { HubAnswer($0) }

  /// Who may ask a question.
  enum Audience: Sendable {
    /// Anybody.
    case everybody
    /// Anybody on this machine, others with a token.
    case machine
    /// Who has a token of any scope.
    case devices
    /// Who has a token of the scope `all`.
    case operators
  }

  static func get(
    _ path: String, for audience: Audience = .operators, _ handler: @escaping Handler
  ) -> HubRoute {
    HubRoute(method: .get, path: path, audience: audience, handler: handler)
  }

  static func post(
    _ path: String, for audience: Audience = .operators, _ handler: @escaping Handler
  ) -> HubRoute {
    HubRoute(method: .post, path: path, audience: audience, handler: handler)
  }

  static func put(
    _ path: String, for audience: Audience = .operators, _ handler: @escaping Handler
  ) -> HubRoute {
    HubRoute(method: .put, path: path, audience: audience, handler: handler)
  }
}
