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
  var audience = Door.Audience.operators
  /// What it is answered with.
  var handler: Handler
  /// What a failure is answered with.
  var failed: @Sendable (Failure) -> HubAnswer = { HubAnswer($0) }

  /// The method and the path, as contracts have them.
  var name: String { "\(method.rawValue) \(path)" }

  /// The methods that some routes have for a path.
  static func methods(at path: String, of routes: [HubRoute]) -> [String] {
    let asked = path.split(separator: "/")
    let methods = Set(
      routes.filter { route in
        let parts = route.path.split(separator: "/")
        return parts.count == asked.count
          && zip(parts, asked).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
      }.map(\.method.rawValue))
    // Who may get something may ask for its head alone.
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
