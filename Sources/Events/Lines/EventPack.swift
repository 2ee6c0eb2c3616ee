public import Core

/// Lines of a log in contiguous memory, with properties of each line that all readers need.
public final class EventPack: Sendable {
  /// The properties of a line, which are computed once.
  public struct Entry: Sendable {
    /// The offset at which the line begins.
    var start: Int
    /// The length of the line in bytes, without the line end.
    public var count: Int
    /// The event's level; nil if it has none.
    public var level: Log.Level?
    /// `true` if the line is never suppressed.
    public var isExempt: Bool
    /// `true` if the line reports missing events.
    ///
    /// Such lines pass every filter.
    public var isGap: Bool
    /// The number of events that the line represents.
    public var weight: Int
    /// The range of the id in the line, without quotes; nil if the line has no id.
    var id: Range<Int>?
    /// The places of the members that filters use; nil if the line must be scanned again.
    var places: MemberPlaces?
  }

  /// The properties of the lines, in order.
  public let entries: [Entry]
  /// The total size of the lines in bytes.
  public let byteCount: Int
  // The memory is written only in `init` and freed only in `deinit`.
  private nonisolated(unsafe) let base: UnsafePointer<UInt8>

  /// Creates a pack with copies of the given lines.
  ///
  /// - Parameter lines: The lines, without line ends.
  public convenience init(_ lines: [String]) { self.init(copying: lines.map(\.utf8)) }

  /// Creates a pack with copies of the given lines.
  ///
  /// - Parameter lines: The lines, without line ends.
  public convenience init(_ lines: [ArraySlice<UInt8>]) { self.init(copying: lines) }

  private init(copying lines: [some Collection<UInt8>]) {
    let count = lines.reduce(0) { $0 + $1.count + 1 }
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: count + LineScanner.padding)
    memory.initialize(repeating: 0)
    var scanner = LineScanner()
    var entries: [Entry] = []
    entries.reserveCapacity(lines.count)
    var at = 0
    for line in lines {
      let length = line.count
      _ = UnsafeMutableBufferPointer(rebasing: memory[at...]).update(fromContentsOf: line)
      memory[at + length] = UInt8(ascii: "\n")
      if let start = memory.baseAddress {
        entries.append(Self.entry(of: start + at, length, at, &scanner))
      }
      at += length + 1
    }
    self.entries = entries
    byteCount = count
    base = UnsafePointer(memory.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
  }

  deinit {
    base.deallocate()
  }

  private static func entry(
    of line: UnsafePointer<UInt8>, _ length: Int, _ start: Int, _ scanner: inout LineScanner
  ) -> Entry {
    guard scanner.scan(line), scanner.found[.type]?.inner?.isEmpty == false else {
      return Entry(start: start, count: length, level: nil, isExempt: true, isGap: false, weight: 1)
    }
    let id = scanner.found[.id].flatMap { value in
      value.isEscaped || value.inner == nil
        ? nil : (value.start + 1 - line)..<(value.start + value.length - 1 - line)
    }
    let event = EventLine(
      bytes: UnsafeBufferPointer(start: line, count: length), number: 0, values: scanner.found)
    return Entry(
      start: start, count: length, level: event.level, isExempt: event.isExempt,
      isGap: event.isGap, weight: event.weight, id: id,
      places: scanner.places(in: line, length: length))
  }

  /// Returns the bytes of the given line without its line end.
  ///
  /// They are valid for the lifetime of the pack.
  public func line(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + entry.start, count: entry.count)
  }

  /// Returns the bytes of the given line's id; nil if it has none.
  ///
  /// They are valid for the lifetime of the pack.
  public func id(_ entry: Entry) -> UnsafeBufferPointer<UInt8>? {
    entry.id.map { UnsafeBufferPointer(rebasing: line(entry)[$0]) }
  }

  /// Returns the position that the given line's id states; nil if the line has no id of a log.
  public func position(_ entry: Entry) -> EventPosition? {
    id(entry).flatMap { EventPosition(String(decoding: $0, as: UTF8.self)) }
  }
}

/// A filter for the lines of packs.
public struct EventSieve: ~Copyable {
  private let filter: PreparedFilter
  private var scanner = LineScanner()

  /// Creates a sieve for the given filter.
  public init(_ filter: EventFilter) {
    self.filter = PreparedFilter(filter)
  }

  /// Returns `true` if the line with the given properties passes the filter.
  public mutating func wants(_ entry: EventPack.Entry, in pack: EventPack) -> Bool {
    guard !filter.wantsAll else { return true }
    let line = pack.line(entry)
    guard let start = line.baseAddress else { return false }
    if let places = entry.places {
      scanner.restore(places, in: start)
    } else if !scanner.scan(start) {
      return false
    }
    return filter.matches(scanner.found, line)
  }
}
