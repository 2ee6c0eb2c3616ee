import Core
import Foundation

@testable import Events

/// What came of an input.
struct Outcome: Equatable {
  var events: [[UInt8]] = []
  var failures: [Failure] = []
}

/// Gives its pieces one at a time, as a pipe does.
final class Pieces: EventSource {
  let name = "<pieces>"
  private let pieces: [[UInt8]]
  private var piece = 0
  private var read = 0

  init(_ pieces: [[UInt8]]) {
    self.pieces = pieces.filter { !$0.isEmpty }
  }

  func isReady(within milliseconds: Int32) throws(Failure) -> Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    guard piece < pieces.count else { return 0 }
    let rest = pieces[piece][read...].prefix(buffer.count)
    buffer.copyBytes(from: rest)
    read += rest.count
    if read == pieces[piece].count {
      piece += 1
      read = 0
    }
    return rest.count
  }
}

/// Reads a source to its end.
func outcome(
  _ source: any EventSource, _ filter: EventFilter = EventFilter()
) throws(Failure) -> Outcome {
  var reader = EventReader(source, filter: filter)
  var outcome = Outcome()
  var mayHaveMore = true
  while mayHaveMore {
    mayHaveMore = try reader.next { (item) throws(Failure) in
      switch item {
      case .event(let event): outcome.events.append(Array(event.bytes))
      case .bad(let failure): outcome.failures.append(failure)
      }
    }
  }
  return outcome
}

/// The numbers, from 0, of the lines that a filter lets pass.
func numbers(_ lines: [[UInt8]], _ filter: EventFilter = EventFilter()) throws(Failure) -> Set<Int>
{
  var reader = EventReader(Pieces([Array(lines.joined(separator: [0x0A]))]), filter: filter)
  var numbers: Set<Int> = []
  var mayHaveMore = true
  while mayHaveMore {
    mayHaveMore = try reader.next { (item) throws(Failure) in
      if case .event(let event) = item { numbers.insert(event.number - 1) }
    }
  }
  return numbers
}

/// Reads lines that come at once.
func outcome(
  _ lines: [[UInt8]], _ filter: EventFilter = EventFilter()
) throws(Failure) -> Outcome {
  try outcome(Pieces([Array(lines.joined(separator: [0x0A]))]), filter)
}

/// What Core's own readers make of the same bytes, with a question about each record.
func expected(
  _ bytes: [UInt8], name: String = "<pieces>", _ isWanted: (RawRecord) -> Bool = { _ in true }
) throws -> Outcome {
  let pipe = Pipe()
  Thread.detachNewThread {
    try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    try? pipe.fileHandleForWriting.close()
  }
  var reader = RecordReader(
    LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: name))
  var outcome = Outcome()
  while let item = try reader.next() {
    switch item {
    case .record(let record): if isWanted(record) { outcome.events.append(record.bytes) }
    case .bad(let failure): outcome.failures.append(failure)
    }
  }
  withExtendedLifetime(pipe) {}
  return outcome
}

extension EventFilter {
  init(_ set: (inout EventFilter) -> Void) {
    self.init()
    set(&self)
  }
}
