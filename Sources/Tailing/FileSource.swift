public import Core
public import Events
import Foundation

/// An event source that reads a file or stdin, without unpacking it.
public final class FileSource: EventSource {
  /// The name of the source in messages.
  public let name: String
  private let descriptor: Int32
  private let isOurs: Bool
  private let interruption: Interruption?
  /// The bytes that were already read to detect the file's format.
  private var first: ArraySlice<UInt8> = []

  private init(
    name: String, descriptor: Int32, isOurs: Bool, interruption: Interruption?
  ) {
    self.name = name
    self.descriptor = descriptor
    self.isOurs = isOurs
    self.interruption = interruption
  }

  deinit {
    if isOurs { close(descriptor) }
  }

  /// Opens the given file, and unpacks it if it begins with the magic bytes of gzip (RFC 1952).
  ///
  /// - Parameters:
  ///   - path: The path of the file; `-` for stdin.
  ///   - interruption: Ends a wait when the process is to end.
  /// - Returns: The source of the file's unpacked contents.
  /// - Throws: `PermissionDenied` if opening the file is not permitted; `NotFound` if it cannot be
  ///   opened for another reason; `StorageFailed` if it cannot be read; `Interrupted` if the
  ///   process is to end.
  public static func open(
    _ path: String, interruption: Interruption? = nil
  ) throws(Failure) -> any EventSource {
    guard path != "-" else {
      return try opened("<stdin>", 0, isOurs: false, interruption)
    }
    return try opened(path, descriptor(path).release(), isOurs: true, interruption)
  }

  /// Opens the given file for reading.
  ///
  /// - Throws: `PermissionDenied` if that is not permitted; `NotFound` if it fails for another
  ///   reason.
  static func descriptor(_ path: String) throws(Failure) -> Descriptor {
    let file = Descriptor(Foundation.open(path, O_RDONLY | O_CLOEXEC))
    let code = errno
    guard file.isOpen else {
      throw Failure(
        code == EACCES || code == EPERM ? .permissionDenied : .notFound,
        "cannot open '\(Visible.line(path))': \(String(cString: strerror(code)))", input: path)
    }
    return file
  }

  private static func opened(
    _ name: String, _ descriptor: Int32, isOurs: Bool, _ interruption: Interruption?
  ) throws(Failure) -> any EventSource {
    let file = FileSource(
      name: name, descriptor: descriptor, isOurs: isOurs, interruption: interruption)
    var start: [UInt8] = []
    var isAtEnd = false
    while start.count < 2, !isAtEnd {
      let more = try file.some(2 - start.count)
      isAtEnd = more.isEmpty
      start += more
    }
    file.first = start[...]
    return start == GzipSource.magic ? try GzipSource(file) : file
  }

  private func some(_ count: Int) throws(Failure) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    return try Array(buffer.prefix(read(into: buffer)))
  }

  /// Waits for input with poll(2); see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    guard first.isEmpty else { return true }
    guard let interruption else { return true }
    return try interruption.isReadable(descriptor, within: milliseconds)
  }

  /// Reads input with read(2); see ``EventSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    guard first.isEmpty else {
      let count = min(first.count, buffer.count)
      buffer.copyBytes(from: first.prefix(count))
      first = first.dropFirst(count)
      return count
    }
    while true {
      _ = try isReady(within: -1)
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      guard count < 0 else { return count }
      guard errno == EINTR || errno == EAGAIN else {
        throw Failure(
          .storageFailed, "cannot read '\(name)': \(String(cString: strerror(errno)))", input: name)
      }
    }
  }
}
