public import Core

/// Writes records as Markdown files, `BASE/{project}/{role}-{timestamp}.md`.
///
/// One record has one file, on every run and in whatever order: a record whose name is taken gets
/// a short hash of its id behind it. A file that does not say in its front matter that it holds
/// the same record is never overwritten.
public struct MarkdownExporter: Sendable {
  private let base: String

  /// Writes under a folder, which is made with the first file; it may be a symbolic link.
  public init(base: String) {
    var base = base[...]
    while base.utf8.count > 1, base.utf8.last == UInt8(ascii: "/") {
      base.unicodeScalars.removeLast()
    }
    self.base = base.isEmpty ? "." : String(base)
  }

  /// Writes an artifact.
  ///
  /// - Throws: `StorageFailed` that names the path.
  public func export(_ artifact: Artifact) throws(Failure) -> FileRecord {
    try export(Document(artifact), artifactId: artifact.id, labels: artifact.labels)
  }

  /// Writes a page: its Markdown or, if it has none, its text.
  ///
  /// - Throws: `StorageFailed` that names the path.
  public func export(_ page: Page) throws(Failure) -> FileRecord {
    try export(Document(page), artifactId: nil, labels: page.labels)
  }

  /// Writes one turn of a conversation.
  ///
  /// - Throws: `StorageFailed` that names the path.
  public func export(_ message: Message) throws(Failure) -> FileRecord {
    try export(Document(message), artifactId: nil, labels: message.labels)
  }

  private func export(
    _ document: Document, artifactId: String?, labels: [String: String]?
  ) throws(Failure) -> FileRecord {
    let folder = try Folder(base: base, child: document.folder)
    let (name, status) = try place(document, in: folder)
    return FileRecord(
      path: folder.path + "/" + name, status: status, bytes: document.bytes.count,
      sha256: SHA256Digest.hexadecimal(document.bytes), artifactId: artifactId, labels: labels)
  }

  private func place(
    _ document: Document, in folder: borrowing Folder
  ) throws(Failure) -> (name: String, status: FileStatus) {
    // Another process may take a free name between the look and the write: then look again.
    for _ in 0..<8 {
      let choice = try choose(document, in: folder)
      if choice.status == .unchanged { return (choice.name, choice.status) }
      if try folder.put(document.bytes, choice.name, replacing: choice.isReplacing) {
        return (choice.name, choice.status)
      }
    }
    throw folder.failure(document.names[0], "its names are taken")
  }

  /// The name that holds the record already, else the first that is free.
  private func choose(_ document: Document, in folder: borrowing Folder) throws(Failure) -> Choice {
    var free: Choice?
    for name in document.names {
      let limit = max(document.bytes.count, document.mark?.count ?? 0) + 1
      switch try folder.content(name, atMost: limit) {
      case .file(let old):
        if old == document.bytes { return Choice(name: name, status: .unchanged) }
        if let mark = document.mark, old.starts(with: mark) {
          return Choice(name: name, status: .updated, isReplacing: true)
        }
      case .link: free = free ?? Choice(name: name, status: .created, isReplacing: true)
      case .nothing: free = free ?? Choice(name: name, status: .created)
      case .other: break
      }
    }
    guard let free else { throw folder.failure(document.names[0], "its names are taken") }
    return free
  }

  private struct Choice {
    var name: String
    var status: FileStatus
    var isReplacing = false
  }
}
