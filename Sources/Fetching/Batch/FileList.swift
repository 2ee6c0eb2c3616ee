public import Core
import Foundation
import Synchronization

/// The files to read. They are the operands, followed by the files in a list.
public actor FileList {
  private let report: @Sendable (Failure) -> Void
  private var operands: ArraySlice<String>
  private let list: PathReader?

  /// Opens the given list, if there is one.
  ///
  /// - Parameters:
  ///   - operands: The files to read first.
  ///   - list: The path of a file that contains paths; `-` for stdin; nil for no list.
  ///   - isNullSeparated: `true` if each path ends with a NUL instead of a line feed.
  ///   - interruption: The interruption that ends the wait for a path.
  ///   - report: A function that receives the failure for each invalid line. Reading continues with
  ///     the next line.
  /// - Throws: `NotFound` if the list does not exist; `PermissionDenied` if it may not be read.
  public init(
    operands: [String], list: String?, isNullSeparated: Bool, interruption: Interruption,
    report: @escaping @Sendable (Failure) -> Void
  ) throws(Failure) {
    self.report = report
    self.operands = operands[...]
    self.list = try list.map { (name) throws(Failure) in
      try PathReader(name, isNullSeparated: isNullSeparated, interruption: interruption)
    }
  }

  /// Returns the path of the next file; nil at the end.
  ///
  /// - Throws: `Interrupted` if the interruption ends the wait; `StorageFailed` if the list cannot
  ///   be read.
  public func next() async throws(Failure) -> String? {
    if let operand = operands.popFirst() { return operand }
    guard let list else { return nil }
    while true {
      do {
        return try await list.next()
      } catch {
        guard error.code == .badInput else { throw error }
        report(error)
      }
    }
  }
}

/// A reader of paths from a file or stdin.
///
/// It has its own thread, because the writer may be slow.
private final class PathReader: Sendable {
  private let lines: Mutex<LineReader>
  private let blocking = Blocking("paths", inOrder: true)

  init(
    _ name: String, isNullSeparated: Bool, interruption: Interruption
  ) throws(Failure) {
    var descriptor: Int32 = 0
    if name != "-" {
      descriptor = open(name, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw Failure(
          errno == EACCES ? .permissionDenied : .notFound,
          "cannot open '\(Visible.line(name))': \(String(cString: strerror(errno)))")
      }
    }
    lines = Mutex(
      LineReader(
        descriptor: descriptor, name: name == "-" ? "<stdin>" : name,
        separator: isNullSeparated ? 0 : UInt8(ascii: "\n"), interruption: interruption))
  }

  func next() async throws(Failure) -> String? {
    try await blocking.run { () throws(Failure) in
      try self.lines.withLock { (lines) throws(Failure) in try Self.next(&lines) }
    }
  }

  private static func next(_ lines: inout LineReader) throws(Failure) -> String? {
    while let line = try lines.next() {
      guard let bytes = line.bytes, let path = String(validating: bytes, as: UTF8.self) else {
        throw Failure(
          .badInput, "the path is \(line.bytes == nil ? "over 16 MiB" : "not UTF-8")",
          input: lines.source(line.number))
      }
      if !path.isEmpty { return path }
    }
    return nil
  }
}
