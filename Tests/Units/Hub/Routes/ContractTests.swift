import Core
import Foundation
import Keys
import Providers
import TestSupport
import Testing

@testable import Hub

/// What `docs/openapi.yaml` and `docs/asyncapi.yaml` say of a hub is what it answers.
struct ContractTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Checkout.root.appending(path: "docs/\(name)"), encoding: .utf8)
  }

  /// A hub that all may ask, companions too.
  private static func server(_ home: Home) throws -> HubServer {
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    let models = ModelAccess(
      Settings(), home.directories, keys: keys, environment: [:], timeouts: (nil, nil, nil),
      retries: nil)
    var settings = ServeSettings()
    settings.hasPage = true
    return try HubServer(
      settings, home.directories, records: HubRecords(home.directories), limits: ActionLimits(),
      environment: [:], identity: nil, companions: CompanionModels(models, keys: keys),
      report: { _ in })
  }

  /// The routes of the API; those of the page are for browsers.
  private static func routes(_ server: HubServer) -> [HubRoute] {
    server.routes.filter { !$0.audience.isOfPage || $0.path == "/" }
  }

  @Test func `usage is added up by what the document names`() throws {
    let words = WatchingRoutes.UsageAspect.allCases.map(\.rawValue).joined(separator: ", ")
    let line = try Self.text("openapi.yaml").split(separator: "\n").first {
      $0.contains("The property that groups the sums.")
    }
    #expect(line?.contains("enum: [\(words)]") == true)
  }

  /// The methods and paths of the document: a path is a member of `paths`, a method one of a path.
  private static func documented() throws -> Set<String> {
    var (section, path, found) = ("", "", Set<String>())
    for line in try text("openapi.yaml").split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count
      guard line.hasSuffix(":") else { continue }
      let name = String(line.dropFirst(depth).dropLast())
      switch depth {
      case 0: section = name
      case 2 where section == "paths": path = name
      case 4 where section == "paths": found.insert("\(name.uppercased()) \(path)")
      default: break
      }
    }
    return found
  }

  @Test func `every route is in openapi.yaml, and every path there is a route`() throws {
    let home = try Home()
    let server = try Self.server(home)
    let routes = Set(Self.routes(server).map(\.name))
    let documented = try Self.documented()
    #expect(documented.subtracting(routes) == [])
    #expect(routes.subtracting(documented) == [])
    #expect(routes.count == Self.routes(server).count)
    #expect(Set(server.routes.map(\.name)).count == server.routes.count)
  }

  /// The methods and paths that hub-serve(1) lists: a path has the method that was named last.
  private static func explained() throws -> Set<String> {
    let page = Checkout.root.appending(path: "man/hub-serve.1")
    var (method, found) = ("", Set<String>())
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix(".It Ic ") || line.hasPrefix(".Ql ") {
      for word in line.split(separator: " ") {
        if ["GET", "POST", "PUT", "DELETE"].contains(word) { method = String(word) }
        guard word.hasPrefix("/"), !method.isEmpty else { continue }
        found.insert(unnamed("\(method) \(word.prefix { $0 != "?" })"))
      }
      method = ""
    }
    return found
  }

  /// A route whose parameters have no names.
  private static func unnamed(_ route: String) -> String {
    route.replacing(/\{\w+\}/, with: "{}")
  }

  @Test func `every route is in hub-serve(1), and every path there is a route`() throws {
    let home = try Home()
    let routes = Set(Self.routes(try Self.server(home)).map(\.name).map(Self.unnamed))
    let explained = try Self.explained()
    #expect(explained.subtracting(routes) == [])
    #expect(routes.subtracting(explained) == [])
  }

  @Test func `every schema that the contracts refer to is there`() throws {
    for name in ["openapi.yaml", "asyncapi.yaml"] {
      let text = try Self.text(name)
      let found = text.matches(of: /schemas\/[A-Za-z]+\.json/).map { String(text[$0.range]) }
      #expect(!found.isEmpty)
      for schema in Set(found) {
        let file = Checkout.root.appending(path: "docs/\(schema)")
        #expect(FileManager.default.fileExists(atPath: file.path), "\(name): \(schema)")
      }
    }
  }

  @Test func `what can be asked at a path is told, and nothing of other paths`() throws {
    let home = try Home()
    let server = try Self.server(home)
    func methods(_ path: String) -> [String] { HubRoute.methods(at: path, of: server.routes) }
    #expect(methods("/v1/events") == ["GET", "HEAD", "POST"])
    #expect(methods("/v1/thresholds/incident/a%2Fb/") == ["GET", "HEAD", "PUT"])
    #expect(methods("/v1/agents/x/control") == ["POST"])
    #expect(methods("/v1/agents/x/y") == [])
    #expect(methods("/") == ["GET", "HEAD"])
  }
}
