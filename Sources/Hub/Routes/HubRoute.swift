import Core
import HTTPTypes
import Hummingbird

/// A route of the hub's API.
struct HubRoute: Sendable {
  typealias Handler = @Sendable (HubRequest) async throws(Failure) -> HubAnswer

  /// The method.
  var method: HTTPRequest.Method
  /// The path.
  ///
  /// Its parameters are in braces.
  var path: String
  /// The senders that may use the route.
  var audience = Door.Audience.operators
  /// The function that answers requests.
  var handler: Handler
  /// The function that creates the response to a failure.
  var failed: @Sendable (Failure) -> HubAnswer = { HubAnswer($0) }
  /// Receives the failures of requests that the hub refused before their handler.
  var refused: @Sendable (Failure, Request, Credential.Ends) -> Void = { _, _, _ in }

  /// The method and path, such as `GET /v1/events`.
  var name: String { "\(method.rawValue) \(path)" }

  /// Returns the methods that the given routes accept at the given path.
  static func methods(at path: String, of routes: [HubRoute]) -> [String] {
    let asked = path.split(separator: "/")
    let methods = Set(
      routes.filter { route in
        let parts = route.path.split(separator: "/")
        return parts.count == asked.count
          && zip(parts, asked).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
      }.map(\.method.rawValue))
    // A path that accepts GET also accepts HEAD.
    return (methods.contains("GET") ? methods.union(["HEAD"]) : methods).sorted()
  }

  static func get(
    _ path: String, for audience: Door.Audience = .operators, _ handler: @escaping Handler
  ) -> HubRoute {
    HubRoute(method: .get, path: path, audience: audience, handler: handler)
  }

  static func post(
    _ path: String, for audience: Door.Audience = .operators, _ handler: @escaping Handler
  ) -> HubRoute {
    HubRoute(method: .post, path: path, audience: audience, handler: handler)
  }

  static func put(
    _ path: String, for audience: Door.Audience = .operators, _ handler: @escaping Handler
  ) -> HubRoute {
    HubRoute(method: .put, path: path, audience: audience, handler: handler)
  }
}
