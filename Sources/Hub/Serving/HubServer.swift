public import Core
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// A hub: what agents tell and how they stand, over HTTP.
public struct HubServer: Sendable {
  private let desk: HubDesk
  private let ring: LiveRing
  private let tail: LiveTail
  private let isEnding = Ending()
  private let environment: [String: String]
  private let place: HubPlace

  /// Whether the hub is to end.
  private final class Ending: Sendable {
    let value = Atomic<Bool>(false)
  }

  /// Opens what a hub serves from.
  ///
  /// - Parameters:
  ///   - place: Where it listens.
  ///   - directories: Where its files are.
  ///   - limits: How often one may steer and decide.
  ///   - environment: That of this process.
  /// - Throws: `StorageFailed`.
  public init(
    at place: HubPlace, _ directories: Directories, limits: ActionLimits,
    environment: [String: String]
  ) throws(Failure) {
    self.place = place
    self.environment = environment
    desk = try HubDesk(directories, limits: limits)
    ring = LiveRing()
    tail = LiveTail(try EventJournal(opening: directories), into: ring)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter ready: Is told where it listens, once it does.
  /// - Throws: `NetworkUnavailable` where it cannot listen; `StorageFailed`.
  public func run(ready: @escaping @Sendable (HubPlace) -> Void) async throws(Failure) {
    try tail.begin()
    let keeper = HubKeeper(desk.watcher)
    defer {
      tail.close()
      keeper.close()
    }
    let application = Application(
      responder: router.buildResponder(),
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: ApplicationConfiguration(
        address: .hostname(place.host, port: place.port), serverName: "agentpipes"),
      onServerRunning: { channel in
        var place = place
        place.port = channel.localAddress?.port ?? place.port
        ready(place)
      },
      logger: Logger(label: "hub") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await withTaskCancellationHandler {
        try await withThrowingTaskGroup { group in
          group.addTask { try await application.run() }
          group.addTask { try await tick() }
          try await group.next()
          group.cancelAll()
        }
      } onCancel: {
        isEnding.value.store(true, ordering: .relaxed)
        ring.wakeAll()
      }
    } catch is CancellationError {
      return
    } catch {
      guard !Task.isCancelled else { return }
      throw Failure(
        .networkUnavailable, "the hub cannot listen on \(place)", input: "\(place)",
        cause: "\(error)")
    }
  }

  /// Lets those who wait for events look at the clock, too.
  private func tick() async throws {
    while !isEnding.value.load(ordering: .relaxed) {
      try await Task.sleep(for: .seconds(1))
      ring.wakeAll()
    }
  }

  private var routes: [HubRoute] {
    let ending = isEnding
    let feed = LiveFeed(ring: ring, desk: desk) { ending.value.load(ordering: .relaxed) }
    return WatchingRoutes(desk: desk).all + SteeringRoutes(desk: desk).all
      + EventRoutes(desk: desk, ring: ring).all + LiveRoutes(feed: feed).all
      + TerminalRoutes(desk: desk, environment: environment, host: nil).all
  }

  private var router: Router<BasicRequestContext> {
    let router = Router()
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        let visitor = HubVisitor(deviceId: nil, name: LoginName.current, scope: .all)
        do throws(Failure) {
          return try await route.handler(
            HubRequest(request: request, parameters: context.parameters, visitor: visitor)
          ).response
        } catch {
          return HubAnswer(error).response
        }
      }
    }
    return router
  }
}
