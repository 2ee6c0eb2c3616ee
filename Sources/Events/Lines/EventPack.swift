public import Core

/// Lines of a log that lie together in memory; what everybody asks of them is looked up once.
public final class EventPack: Sendable {
  /// What is known of a line.
  public struct Note: Sendable {
    /// Where it begins.
    var start: Int
    /// How many bytes it has, without its end.
    public var count: Int
    /// The event's level; nil for none.
    public var level: Log.Level?
    /// Whether it is never left out, however many events come.
    public var isKept: Bool
    /// Whether it tells of events that are missing, which is about every event that was wanted.
    public var isGap: Bool
    /// For how many events it stands.
    public var weight: Int
    /// The bytes of the line in which its id stands, without quotes; nil for a line that has none.
    var id: Range<Int>?
    /// The places of the members that filters look at; nil for a line that has to be scanned for them.
    var places: MemberPlaces?
  }

  /// The lines, in their order.
  public let notes: [Note]
  /// How many bytes all of them have.
  public let byteCount: Int
  // Written in `init` alone, freed in `deinit`.
  private nonisolated(unsafe) let base: UnsafePointer<UInt8>

  /// Copies lines of a log.
  ///
  /// - Parameter lines: Each is a record, without a line end.
  public convenience init(_ lines: [String]) { self.init(copying: lines.map(\.utf8)) }

  /// Copies lines of a log.
  ///
  /// - Parameter lines: Each is a record, without a line end.
  public convenience init(_ lines: [ArraySlice<UInt8>]) { self.init(copying: lines) }

  private init(copying lines: [some Collection<UInt8>]) {
    let count = lines.reduce(0) { $0 + $1.count + 1 }
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: count + LineScanner.padding)
    memory.initialize(repeating: 0)
    var scanner = LineScanner()
    var notes: [Note] = []
    notes.reserveCapacity(lines.count)
    var at = 0
    for line in lines {
      let length = line.count
      _ = UnsafeMutableBufferPointer(rebasing: memory[at...]).update(fromContentsOf: line)
      memory[at + length] = UInt8(ascii: "\n")
      if let start = memory.baseAddress {
        notes.append(Self.note(of: start + at, length, at, &scanner))
      }
      at += length + 1
    }
    self.notes = notes
    byteCount = count
    base = UnsafePointer(memory.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
  }

  deinit {
    base.deallocate()
  }

  private static func note(
    of line: UnsafePointer<UInt8>, _ length: Int, _ start: Int, _ scanner: inout LineScanner
  ) -> Note {
    guard scanner.scan(line), scanner.found[.type]?.inner?.isEmpty == false else {
      return Note(start: start, count: length, level: nil, isKept: true, isGap: false, weight: 1)
    }
    let id = scanner.found[.id].flatMap { value in
      value.isEscaped || value.inner == nil
        ? nil : (value.start + 1 - line)..<(value.start + value.length - 1 - line)
    }
    let event = EventLine(
      bytes: UnsafeBufferPointer(start: line, count: length), number: 0, values: scanner.found)
    return Note(
      start: start, count: length, level: event.level, isKept: event.isKept,
      isGap: event.isGap, weight: event.weight, id: id,
      places: scanner.places(in: line, length: length))
  }

  /// The bytes of a line, without its end, for as long as the pack lives.
  public func line(_ note: Note) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + note.start, count: note.count)
  }

  /// The bytes of a line's id, for as long as the pack lives; nil for a line without one.
  public func id(_ note: Note) -> UnsafeBufferPointer<UInt8>? {
    note.id.map { UnsafeBufferPointer(rebasing: line(note)[$0]) }
  }

  /// Returns the place of a line's event in its log; nil for a line without an id of a log.
  public func position(_ note: Note) -> EventPosition? {
    id(note).flatMap { EventPosition(String(decoding: $0, as: UTF8.self)) }
  }
}

/// Tells which lines of packs a filter wants.
public struct EventSieve: ~Copyable {
  private let filter: PreparedFilter
  private var scanner = LineScanner()

  /// Prepares a filter.
  public init(_ filter: EventFilter) {
    self.filter = PreparedFilter(filter)
  }

  /// Whether a line is wanted.
  public mutating func wants(_ note: EventPack.Note, in pack: EventPack) -> Bool {
    guard !filter.wantsAll else { return true }
    let line = pack.line(note)
    guard let start = line.baseAddress else { return false }
    if let places = note.places {
      scanner.take(places, in: start)
    } else if !scanner.scan(start) {
      return false
    }
    return filter.matches(scanner.found, line)
  }
}
