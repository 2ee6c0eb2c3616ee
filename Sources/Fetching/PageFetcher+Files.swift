public import Core
import Foundation

extension PageFetcher {
  /// Reads a page from a local file, by open(2) and read(2).
  ///
  /// - Parameter path: The file as it is named; a pipe such as `/dev/fd/3` is read to its end.
  /// - Returns: The page, with the file's name in `path` and its `file://` form in `url`.
  /// - Throws: ``Failure`` with `notFound`, `permissionDenied`, or `pageRefused` and kind
  ///   `unsupportedType`.
  public func read(path: String) async throws(Failure) -> Page {
    let started = ContinuousClock.now
    let (body, isCut) = try bytes(of: path)
    let file = URL(fileURLWithPath: path)
    let type = Self.types[file.pathExtension.lowercased()]
    var page = try await read(body, DocumentKind.of(body, type: type), url: "", contentType: nil)
    page.url = file.standardizedFileURL.absoluteString
    page.path = path
    page.contentType = type ?? "text/html"
    page.partial = isCut
    page.fromCache = false
    if isCut {
      page.error = Failure(
        .pageRefused, "'\(path)' is larger than \(options.maximumDecodedBytes) bytes",
        kind: "tooLarge", url: page.url)
    }
    page.timing = PageTiming(extractMs: (ContinuousClock.now - started) / .milliseconds(1))
    return page
  }

  private func bytes(of path: String) throws(Failure) -> (bytes: [UInt8], isCut: Bool) {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw Failure(.notFound, "cannot open '\(Visible.line(path))': no such file")
    }
    guard !isDirectory.boolValue else {
      throw Failure(.badInput, "cannot read '\(Visible.line(path))': it is a directory")
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure(.permissionDenied, "cannot open '\(Visible.line(path))': permission denied")
    }
    let limit = max(0, options.maximumDecodedBytes)
    var bytes: [UInt8] = []
    do {
      while bytes.count <= limit,
        let chunk = try handle.read(upToCount: 256 * 1024), !chunk.isEmpty
      {
        bytes.append(contentsOf: chunk)
      }
      try handle.close()
    } catch {
      throw Failure(.storageFailed, "cannot read '\(Visible.line(path))'", cause: "\(error)")
    }
    return (Array(bytes.prefix(limit)), bytes.count > limit)
  }

  private static let types = [
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml",
    "md": "text/markdown", "markdown": "text/markdown", "txt": "text/plain",
    "json": "application/json", "xml": "application/xml",
  ]
}
