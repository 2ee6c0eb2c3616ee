import Core
import Synchronization

/// The answers that companions read just now, so that those of a device can be ended.
final class CompanionReaders: Sendable {
  /// A reader of an answer.
  struct Reader: Sendable {
    fileprivate let number: Int
  }

  private struct Entry {
    let device: Device
    let stream: CompanionStream
    var reason: Failure?
  }

  private struct State {
    var next = 0
    var entries: [Int: Entry] = [:]
    /// Those who wait until a device reads nothing.
    var waiting: [(device: String, resume: AsyncStream<Void>.Continuation)] = []
  }

  private let state = Mutex(State())

  /// How many there are.
  var count: Int { state.withLock { $0.entries.count } }

  /// Enters a reader.
  ///
  /// - Parameters:
  ///   - device: The device that reads.
  ///   - stream: The answer that it reads; the reader is woken to look for a reason to end.
  /// - Returns: The reader, for ``leave(_:)``.
  func enter(_ device: Device, _ stream: CompanionStream) -> Reader {
    state.withLock { state in
      state.next += 1
      state.entries[state.next] = Entry(device: device, stream: stream)
      return Reader(number: state.next)
    }
  }

  /// Lets all of them see that time passes; the hub's clock ticks for all.
  func tick() {
    for stream in state.withLock({ $0.entries.values.map(\.stream) }) { stream.tick() }
  }

  /// Why a reader gets nothing more; nil where it does.
  func reason(against reader: Reader) -> Failure? {
    state.withLock { $0.entries[reader.number]?.reason }
  }

  /// Takes a reader out.
  func leave(_ reader: Reader) {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: reader.number) else { return }
      let id = entry.device.id
      guard !state.entries.values.contains(where: { $0.device.id == id }) else { return }
      for waiting in state.waiting where waiting.device == id { waiting.resume.finish() }
      state.waiting.removeAll { $0.device == id }
    }
  }

  /// Ends what some devices read.
  func end(_ devices: Set<String>) {
    let woken = state.withLock { state in
      state.entries.filter { devices.contains($0.value.device.id) }.map { number, entry in
        state.entries[number]?.reason = .revoked(entry.device.name, id: entry.device.id)
        return entry.stream
      }
    }
    for stream in woken { stream.wake() }
  }

  /// Ends what a device reads, and comes back when that is done, or after a second: who does not read
  /// what was sent keeps no other waiting.
  func endAndWait(_ device: String) async {
    let (stream, resume) = AsyncStream.makeStream(of: Void.self)
    let isQuiet = state.withLock { state in
      guard state.entries.values.contains(where: { $0.device.id == device }) else { return true }
      state.waiting.append((device, resume))
      return false
    }
    guard !isQuiet else { return }
    end([device])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in stream {} }
      group.addTask { try? await Task.sleep(for: .seconds(1)) }
      await group.next()
      group.cancelAll()
    }
  }
}
