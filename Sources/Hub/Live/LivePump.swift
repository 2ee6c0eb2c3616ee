import Events
import NIOCore
import Synchronization
import WebSocket

/// Sends what comes to all sockets of one event loop, on that loop: however many events come at once,
/// the loop looks after its sockets once.
final class LivePump: Sendable {
  private let loop: any EventLoop
  private let sockets: NIOLoopBoundBox<[ObjectIdentifier: LiveSocket]>
  private let isDue = Atomic<Bool>(false)

  /// A pump without sockets.
  init(_ loop: any EventLoop) {
    self.loop = loop
    sockets = .makeBoxSendingValue([:], eventLoop: loop)
  }

  /// Looks after the sockets soon; any thread may ask for that.
  func wake() {
    guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loop.execute { [self] in
      isDue.store(false, ordering: .releasing)
      for socket in sockets.value.values { socket.pump() }
    }
  }

  /// Looks at the clock, for all sockets.
  func tick() {
    loop.execute { [self] in
      let now = EventOutput.monotonic()
      for socket in sockets.value.values { socket.tick(now) }
    }
  }

  /// Ends all sockets, because the hub ends (RFC 6455 section 7.4.1).
  func close() {
    loop.execute { [self] in
      for socket in sockets.value.values {
        socket.connection.close(code: 1001, reason: "the hub is shutting down")
      }
    }
  }

  /// Looks after a socket from now on; on the loop.
  func add(_ socket: LiveSocket) {
    sockets.value[ObjectIdentifier(socket)] = socket
  }

  /// Lets go of a socket; on the loop.
  func remove(_ socket: LiveSocket) {
    sockets.value[ObjectIdentifier(socket)] = nil
  }
}

/// The pumps of all event loops.
final class LivePumps: Sendable {
  private let pumps: [LivePump]
  private let indices: [ObjectIdentifier: Int]

  /// One pump for each loop.
  init(_ group: any EventLoopGroup, ring: LiveRing) {
    let loops = Array(group.makeIterator())
    let pumps = loops.map(LivePump.init)
    self.pumps = pumps
    indices = Dictionary(
      loops.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }
    ) { first, _ in first }
    ring.onPublish { for pump in pumps { pump.wake() } }
  }

  /// The pump of a loop.
  func pump(of loop: any EventLoop) -> LivePump? {
    indices[ObjectIdentifier(loop)].map { pumps[$0] }
  }

  /// Looks at the clock, for all sockets.
  func tick() { for pump in pumps { pump.tick() } }

  /// Ends all sockets.
  func close() { for pump in pumps { pump.close() } }
}
