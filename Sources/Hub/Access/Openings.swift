import Core
import Storage
import Synchronization

/// A subscription, a stream or an answer that is open to a visitor.
final class Opening: Sendable {
  /// The kinds of openings.
  enum Kind: Sendable {
    /// A subscription to the live stream, over HTTP or a WebSocket.
    case subscription
    /// A stream of controls for agents.
    case controls
    /// An answer in a chat, while it is written or read.
    case answer
  }

  fileprivate let number: Int
  fileprivate let kind: Kind
  fileprivate let device: Device?
  fileprivate let tick: @Sendable () -> Void
  private let ended: @Sendable (Failure) -> Void
  private let refusal = Mutex<Failure?>(nil)

  /// The failure that ended the opening; nil while it is open.
  var reason: Failure? { refusal.withLock(\.self) }

  fileprivate init(
    _ number: Int, _ kind: Kind, _ device: Device?, tick: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable (Failure) -> Void
  ) {
    (self.number, self.kind, self.device) = (number, kind, device)
    (self.tick, self.ended) = (tick, ended)
  }

  /// Returns `true` if one of the given devices has the opening, or signed in the browser that has
  /// it.
  fileprivate func belongs(to devices: Set<String>) -> Bool {
    [device?.id, device?.signedInBy].contains { $0.map(devices.contains) ?? false }
  }

  /// Ends the opening if it belongs to a device.
  ///
  /// Later calls have no effect.
  fileprivate func end() {
    guard let device else { return }
    let revoked = Failure.revoked(device.name, id: device.id)
    let isFirst = refusal.withLock { reason in
      defer { reason = revoked }
      return reason == nil
    }
    if isFirst { ended(revoked) }
  }
}

/// The list of everything that is open to visitors.
///
/// The entries of a device end when its access is revoked.
final class Openings: Sendable {
  private struct State {
    var count = 0
    var entries: [Int: Opening] = [:]
    /// The callers that wait until all entries of a device are closed.
    var waiting: [(device: String, resume: AsyncStream<Void>.Continuation)] = []

    func isOpen(to device: String) -> Bool {
      entries.values.contains { $0.device?.id == device }
    }
  }

  private let threads: HubThreads
  /// Connections to the stores of devices, which do not wait for changes.
  private let reading: [Store]
  private let state = Mutex(State())

  /// Creates an empty list.
  init(_ threads: HubThreads, reading: [Store]) {
    (self.threads, self.reading) = (threads, reading)
  }

  /// Adds an entry.
  ///
  /// If the visitor's device is revoked, the entry is ended at once.
  ///
  /// - Parameters:
  ///   - kind: The kind of the entry.
  ///   - visitor: The visitor.
  ///   - tick: Called once per second.
  ///   - end: Called once if the device is revoked, after `Opening.reason` is set.
  /// - Returns: The entry, for ``close(_:)``.
  func open(
    _ kind: Opening.Kind, to visitor: Visitor?, tick: @escaping @Sendable () -> Void = {},
    end: @escaping @Sendable (Failure) -> Void
  ) async -> Opening {
    let opening = add(kind, to: visitor, tick: tick, end: end)
    await check(opening)
    return opening
  }

  /// Adds an entry.
  ///
  /// The caller must then call ``check(_:)`` for the entry.
  func add(
    _ kind: Opening.Kind, to visitor: Visitor?, tick: @escaping @Sendable () -> Void = {},
    end: @escaping @Sendable (Failure) -> Void
  ) -> Opening {
    state.withLock { state in
      state.count += 1
      let opening = Opening(state.count, kind, visitor?.device, tick: tick, ended: end)
      state.entries[opening.number] = opening
      return opening
    }
  }

  /// Ends the given entry if its device is revoked.
  func check(_ opening: Opening) async {
    let revoked = await revoked()
    if let id = opening.device?.id, opening.belongs(to: revoked) { end([id]) }
  }

  /// Removes a closed entry.
  func close(_ opening: Opening) {
    state.withLock { state in
      guard state.entries.removeValue(forKey: opening.number) != nil, let id = opening.device?.id,
        !state.waiting.isEmpty, !state.isOpen(to: id)
      else { return }
      for waiting in state.waiting where waiting.device == id { waiting.resume.finish() }
      state.waiting.removeAll { $0.device == id }
    }
  }

  /// Returns the number of entries of the given kind.
  func count(of kind: Opening.Kind) -> Int {
    state.withLock { $0.entries.values.count { $0.kind == kind } }
  }

  /// Calls the tick of every entry, once per second.
  func tick() {
    for opening in state.withLock({ Array($0.entries.values) }) { opening.tick() }
  }

  // MARK: Revocations

  /// Ends all entries of revoked devices.
  ///
  /// Another process may have revoked them.
  func endRevoked() async {
    let isNeeded = state.withLock { $0.entries.values.contains { $0.device != nil } }
    if isNeeded { end(await revoked()) }
  }

  /// Returns the ids of the revoked devices, except those in an unreadable store.
  private func revoked() async -> Set<String> {
    var ids: Set<String> = []
    for store in reading {
      let found = try? await threads.read { () throws(Failure) in
        try store.base.read { try $0.revokedDevices() }
      }
      ids.formUnion(found ?? [])
    }
    return ids
  }

  /// Ends all entries of the given device, and waits until they are closed, for at most a second.
  func endAndWait(_ device: String) async {
    let (stream, resume) = AsyncStream.makeStream(of: Void.self)
    let isOpen = state.withLock { state in
      let isOpen = state.isOpen(to: device)
      if isOpen { state.waiting.append((device, resume)) }
      return isOpen
    }
    guard isOpen else { return }
    end([device])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in stream {} }
      group.addTask { try? await Task.sleep(for: .seconds(1)) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Ends all entries of the given devices, the latest first.
  private func end(_ devices: Set<String>) {
    guard !devices.isEmpty else { return }
    let ended = state.withLock { state in
      state.entries.values.filter { $0.belongs(to: devices) }
    }
    for opening in ended.sorted(by: { $0.number > $1.number }) { opening.end() }
  }
}
