public import Core
import Storage

/// Writes the records of a stream as files: one that is handled is replaced by its file, others are
/// passed on.
public struct RecordExporter {
  /// Hands a record on.
  public typealias Write = (any StreamRecord) throws(Failure) -> Void

  private var exporter: MarkdownExporter
  private var gatherer = ConversationGatherer()
  private let write: Write
  private let passOn: (RawRecord) throws(Failure) -> Void
  /// Where the path of an artifact's file is noted; nil for nowhere.
  private let directories: Directories?
  /// Opened with the first artifact: most runs need none, and opening it takes longer than the rest.
  private var store: Store??

  /// Exports with a writer of files.
  ///
  /// - Parameters:
  ///   - exporter: Writes the files.
  ///   - directories: Where the store is in which the paths of artifacts' files are noted, if any is;
  ///     nil notes none.
  ///   - write: Takes the records of files.
  ///   - passOn: Takes the records that are no files.
  public init(
    _ exporter: MarkdownExporter, notingPathsIn directories: Directories?,
    write: @escaping Write, passOn: @escaping (RawRecord) throws(Failure) -> Void
  ) {
    self.exporter = exporter
    self.directories = directories
    self.write = write
    self.passOn = passOn
  }

  /// Exports a record, or keeps it until all are there.
  ///
  /// - Throws: As ``MarkdownExporter``; `BadInput` for one that cannot be read; what handing on throws.
  public mutating func export(_ record: RawRecord) throws(Failure) {
    switch record.type {
    case Artifact.type: try export(try Artifact(record))
    case Page.type: try write(try exporter.export(try Page(record)))
    case Chat.type: try gatherer.add(try Chat(record))
    case Message.type:
      let message = try Message(record)
      if try !gatherer.add(message) { try export(.message(message)) }
    default:
      if record.type == "project", let id = record.string("id"), let name = record.string("name") {
        gatherer.name(project: id, name)
      }
      try passOn(record)
    }
  }

  /// Exports what was kept.
  ///
  /// - Parameter fail: Is told why something could not be exported; it throws to end.
  /// - Throws: What `fail` throws.
  public mutating func finish(
    _ fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) {
    for item in gatherer.items {
      do throws(Failure) { try export(item) } catch { try fail(error) }
    }
  }

  private mutating func export(_ artifact: Artifact) throws(Failure) {
    let store = try opened()
    let file = try exporter.export(artifact)
    try store?.setFilePath(file.path, ofArtifact: artifact.id)
    try write(file)
  }

  private mutating func export(_ item: ConversationGatherer.Item) throws(Failure) {
    switch item {
    case .conversation(let conversation): try write(try exporter.export(conversation))
    case .message(let message): try write(try exporter.export(message))
    }
  }

  private mutating func opened() throws(Failure) -> Store? {
    if let store { return store }
    let opened = try directories.flatMap { (directories) throws(Failure) in
      try Store(existingIn: directories)
    }
    store = .some(opened)
    return opened
  }
}
