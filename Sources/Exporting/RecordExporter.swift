public import Core
import Storage

/// An exporter of the records in a stream.
///
/// Each exported record is replaced by the record of its file. All other records are passed on.
public struct RecordExporter {
  /// A closure that emits a record.
  public typealias Write = (any StreamRecord) throws(Failure) -> Void

  private var exporter: MarkdownExporter
  private var gatherer = ConversationGatherer()
  private let write: Write
  private let passOn: (RawRecord) throws(Failure) -> Void
  /// The directories that contain the store; nil to store no paths of artifacts' files.
  private let directories: Directories?
  /// The store.
  ///
  /// It is opened for the first artifact, because most runs do not need it.
  private var store: Store??

  /// Creates an exporter of a stream's records.
  ///
  /// - Parameters:
  ///   - exporter: The exporter that writes the files.
  ///   - directories: The directories that contain the store, in which the paths of artifacts'
  ///     files are stored; nil to store no paths.
  ///   - write: A closure that emits the records of files.
  ///   - passOn: A closure that emits all other records.
  public init(
    _ exporter: MarkdownExporter, notingPathsIn directories: Directories?,
    write: @escaping Write, passOn: @escaping (RawRecord) throws(Failure) -> Void
  ) {
    self.exporter = exporter
    self.directories = directories
    self.write = write
    self.passOn = passOn
  }

  /// Exports the given record, or collects it until ``finish(_:)``.
  ///
  /// - Throws: `BadInput` if the record is invalid; otherwise any error of ``MarkdownExporter``,
  ///   `write` or `passOn`.
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

  /// Exports the collected records.
  ///
  /// - Parameter fail: A closure that receives each failure to export a record. If it throws, the
  ///   export stops.
  /// - Throws: Any error that `fail` throws.
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
