public import Core
import Foundation
import HTTP
import Reading

extension PageReader {
  /// Reads a page from the local file at the given path (open(2), read(2)).
  ///
  /// - Parameter path: The path. A pipe such as `/dev/fd/3` is read to its end.
  /// - Returns: The page, with the path in `path` and a `file://` URL in `url`.
  /// - Throws: `NotFound` if there is no such file; `PermissionDenied` if the file may not be read;
  ///   `PageRefused` of kind `unsupportedType` if it has no readable text.
  public func read(path: String) async throws(Failure) -> Page {
    let started = ContinuousClock.now
    var status = stat()
    // If stat(2) fails, reading will report the failure. A pipe has no size.
    let size = stat(path, &status) == 0 ? Int(status.st_size) : 0
    let told = min(max(size, 0), max(0, options.maximumDecodedBytes))
    var memory: MemoryBudget.Reservation? = try await reserve(told, start: [])
    let (body, isCut) = try bytes(of: path)
    if body.count > told {
      memory = nil
      memory = try await reserve(body.count, start: body)
    }
    defer { withExtendedLifetime(memory) {} }
    let file = URL(fileURLWithPath: path)
    let type = options.fileType ?? DocumentKind.mediaType(ofFile: path)
    let kind = DocumentKind.of(body, type: type)
    var page = try await read(
      body, kind, url: file.standardizedFileURL.absoluteString, contentType: nil)
    page.path = path
    page.contentType = type ?? page.contentType
    page.partial = isCut
    page.fromCache = false
    if isCut {
      page.error = Failure(
        .pageRefused, "'\(Visible.line(path))' is larger than \(options.maximumDecodedBytes) bytes",
        kind: .tooLarge, url: page.url)
    }
    page.timing = PageTiming(extractMs: (ContinuousClock.now - started) / .milliseconds(1))
    return page
  }

  private func bytes(of path: String) throws(Failure) -> (bytes: [UInt8], isCut: Bool) {
    // A socket cannot be opened by its path.
    let isInput = path == PageSources.input
    let descriptor = isInput ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path, errno, isOpen: false) }
    defer { _ = close(descriptor) }  // Nothing was written that closing could lose.
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, errno, isOpen: true) }
    let limit = max(0, options.maximumDecodedBytes)
    var bytes: [UInt8] = []
    // One byte more than the size detects the end of a file without another read.
    var room = max(64 * 1024, min(Int(status.st_size), limit) + 1)
    while bytes.count <= limit {
      let old = bytes.count
      let piece = min(room, limit + 1 - old)
      bytes.append(contentsOf: repeatElement(0, count: piece))
      let count = bytes.withUnsafeMutableBytes { buffer in
        Foundation.read(descriptor, buffer.baseAddress.map { $0 + old }, piece)
      }
      let code = errno
      bytes.removeLast(piece - max(0, count))
      if count < 0, code == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path, code, isOpen: true) }
      if count == 0 || count < piece && bytes.count == Int(status.st_size) { break }
      room = max(64 * 1024, room - count)
    }
    guard bytes.count > limit else { return (bytes, false) }
    return (Array(bytes.prefix(limit)), true)
  }

}

extension Failure {
  /// Returns the failure to open or read the file at the given path, for the given value of errno.
  fileprivate static func unreadable(_ path: String, _ code: Int32, isOpen: Bool) -> Failure {
    let name = shownPath(path)
    if code == EISDIR { return Failure(.badInput, "cannot read '\(name)': it is a directory") }
    if code == ENOENT || code == ENOTDIR {
      return Failure(.notFound, "cannot open '\(name)': no such file")
    }
    let reason = String(cString: strerror(code)).lowercased()
    let kind: FailureCode = code == EACCES || code == EPERM ? .permissionDenied : .storageFailed
    return Failure(kind, "cannot \(isOpen ? "read" : "open") '\(name)': \(reason)")
  }

  /// Returns the given path on one line.
  ///
  /// If it is a mistyped URL, its password is removed.
  static func shownPath(_ path: String) -> String {
    Visible.line(ShownURL.inName(path))
  }
}
