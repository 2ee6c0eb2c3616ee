import Events
import NIOCore
import Synchronization
import WebSocket

/// A sender for all sockets of one event loop.
///
/// If many events arrive together, it visits each socket only once.
final class LivePump: Sendable {
  private let loop: any EventLoop
  private let sockets: NIOLoopBoundBox<[ObjectIdentifier: LiveSocket]>
  private let isDue = Atomic<Bool>(false)

  /// Creates a pump without sockets.
  init(_ loop: any EventLoop) {
    self.loop = loop
    sockets = .makeBoxSendingValue([:], eventLoop: loop)
  }

  /// Schedules sending on all sockets; may be called on any thread.
  func wake() {
    guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loop.execute { [self] in
      isDue.store(false, ordering: .releasing)
      for socket in sockets.value.values { socket.pump() }
    }
  }

  /// Calls the tick of every socket.
  func tick() {
    loop.execute { [self] in
      let now = EventOutput.monotonic()
      for socket in sockets.value.values { socket.tick(now) }
    }
  }

  /// Closes all sockets because the hub shuts down (RFC 6455 section 7.4.1).
  func close() {
    loop.execute { [self] in
      for socket in sockets.value.values {
        socket.connection.close(code: 1001, reason: "the hub is shutting down")
      }
    }
  }

  /// Adds the given socket; must be called on the event loop.
  func add(_ socket: LiveSocket) {
    sockets.value[ObjectIdentifier(socket)] = socket
  }

  /// Removes the given socket; must be called on the event loop.
  func remove(_ socket: LiveSocket) {
    sockets.value[ObjectIdentifier(socket)] = nil
  }
}

/// The pumps of all event loops.
final class LivePumps: Sendable {
  private let pumps: [LivePump]
  private let indices: [ObjectIdentifier: Int]

  /// Creates a pump for each event loop of the given group.
  init(_ group: any EventLoopGroup, ring: LiveRing) {
    let loops = Array(group.makeIterator())
    let pumps = loops.map(LivePump.init)
    self.pumps = pumps
    indices = Dictionary(
      loops.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }
    ) { first, _ in first }
    ring.onPublish { for pump in pumps { pump.wake() } }
  }

  /// Returns the pump of the given event loop.
  func pump(of loop: any EventLoop) -> LivePump? {
    indices[ObjectIdentifier(loop)].map { pumps[$0] }
  }

  /// Calls the tick of every socket.
  func tick() { for pump in pumps { pump.tick() } }

  /// Closes all sockets because the hub shuts down.
  func close() { for pump in pumps { pump.close() } }
}
