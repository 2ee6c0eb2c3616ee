public import Core

/// An exporter of records as Markdown files.
///
/// The default path is `BASE/{project}/{role}-{instant}.md`, and `BASE/{project}/page-{id}.md` for
/// a page. Each record has the same file in every run. If another file has that name, a short hash
/// of the record's id is appended. A file is replaced only if its front matter identifies the same
/// record and shows that nobody has changed the file. Otherwise, a new state of the record is
/// written to another file beside it.
public struct MarkdownExporter {
  private let base: String
  private let template: PathTemplate?
  private let isDryRun: Bool
  private let replacesChanged: Bool
  private let fields: NoteFields
  private let interruption: Interruption?

  /// The names in the folders that this run has used, by the folders' paths.
  private var listings: [String: Listing] = [:]
  /// The files that this run has written, by the hash of the case-folded path.
  ///
  /// A dry run lists the files that it would have written.
  private var done: [Int: Done] = [:]

  /// Creates an exporter to the given folder.
  ///
  /// - Parameters:
  ///   - base: The folder, which may be a symbolic link. It is created with the first file.
  ///   - template: The path of each file below the folder; nil for a default that depends on the
  ///     record's type.
  ///   - isDryRun: `true` to report the files that would be written, without writing them.
  ///   - replacesChanged: `true` to replace a record's file even if a person has changed it.
  ///   - fields: The fields of the front matter.
  ///   - interruption: The interruption that ends the wait for a locked folder.
  public init(
    base: String, template: PathTemplate? = nil, isDryRun: Bool = false,
    replacesChanged: Bool = false, fields: NoteFields = .usual, interruption: Interruption? = nil
  ) {
    var base = base[...]
    while base.utf8.count > 1, base.utf8.last == UInt8(ascii: "/") {
      base.unicodeScalars.removeLast()
    }
    self.base = base.isEmpty ? "." : String(base)
    self.template = template
    self.isDryRun = isDryRun
    self.replacesChanged = replacesChanged
    self.fields = fields
    self.interruption = interruption
  }

  /// Writes the given artifact to its file.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written; `BadInput` if this run already wrote
  ///   the artifact with other content.
  public mutating func export(_ artifact: Artifact) throws(Failure) -> FileRecord {
    try export(
      RecordFile(artifact, fields: fields), artifactId: artifact.id, labels: artifact.labels)
  }

  /// Writes the Markdown of the given page to its file; its text if it has no Markdown.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written; `BadInput` if this run already wrote
  ///   the page with other content.
  public mutating func export(_ page: Page) throws(Failure) -> FileRecord {
    try export(RecordFile(page, fields: fields), artifactId: nil, labels: page.labels)
  }

  /// Writes the given message, which is one turn of a chat, to its own file.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written; `BadInput` if this run already wrote
  ///   the message with other content.
  public mutating func export(_ message: Message) throws(Failure) -> FileRecord {
    try export(RecordFile(message, fields: fields), artifactId: nil, labels: message.labels)
  }

  /// Writes the given conversation to one file.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written; `BadInput` if this run already wrote
  ///   the conversation with other content.
  public mutating func export(_ conversation: Conversation) throws(Failure) -> FileRecord {
    try export(
      RecordFile(conversation, fields: fields), artifactId: nil, labels: conversation.chat.labels)
  }
}

extension MarkdownExporter {
  private struct Done {
    /// The name of the file in its folder.
    ///
    /// A dry run needs it.
    var name: String
    var identity: Int
    var content: String
  }

  private mutating func export(
    _ file: RecordFile, artifactId: String?, labels: [String: String]?
  ) throws(Failure) -> FileRecord {
    let (folders, names) = (template ?? file.layout).path(file.values, hash: file.hash)
    var path = base
    let choice =
      isDryRun
      ? try plan(file, in: folders, names, &path) : try write(file, in: folders, names, &path)
    done[Self.key(path, choice.name)] = Done(
      name: isDryRun ? choice.name : "", identity: file.identity, content: file.content)
    return FileRecord(
      path: Folder.joined(path, choice.name), status: choice.status,
      bytes: choice.kept?.count ?? file.bytes.count,
      sha256: choice.kept.map(SHA256Digest.hexadecimal) ?? file.digest,
      beside: choice.beside.map { Folder.joined(path, $0) }, artifactId: artifactId,
      labels: labels)
  }

  private mutating func write(
    _ file: RecordFile, in folders: [String], _ names: FileNames, _ path: inout String
  ) throws(Failure) -> Choice {
    guard let folder = try open(folders, &path) else {
      throw Folder.failure(path, "it was deleted")
    }
    let isLocked = try folder.lock(interruption)
    // Without a lock, another process may create the file between the check and the write, which is
    // then retried.
    for _ in 0..<8 {
      try list(folder, isLocked: isLocked)
      var choices = Choices(isReplacing: replacesChanged)
      for (index, name) in names.enumerated() where choices.needs(index) {
        choices.add(name, try found(name, folder, file))
      }
      let choice = try choices.best(in: path)
      if choice.status == .unchanged { return choice }
      try refuseOther(file, path, choice)
      if try folder.place(file.bytes, as: choice.name, replacing: choice.replaces) {
        listings[path]?.add(choice.name, to: folder)
        return choice
      }
    }
    throw folder.failure(names.first, "all its names are taken")
  }

  private mutating func plan(
    _ file: RecordFile, in folders: [String], _ names: FileNames, _ path: inout String
  ) throws(Failure) -> Choice {
    var choices = Choices(isReplacing: replacesChanged)
    if let folder = try open(folders, &path) {
      try list(folder, isLocked: false)
      for (index, name) in names.enumerated() where choices.needs(index) {
        if let planned = planned(name, path, file) {
          choices.add(name, planned)
        } else {
          choices.add(name, try found(name, folder, file))
        }
      }
    } else {
      for (index, name) in names.enumerated() where choices.needs(index) {
        choices.add(name, planned(name, path, file) ?? [])
      }
    }
    let choice = try choices.best(in: path)
    if choice.status != .unchanged { try refuseOther(file, path, choice) }
    return choice
  }

  /// Throws a failure if this run already wrote the record with other content.
  ///
  /// Without this check, two runs could write different files.
  private func refuseOther(
    _ file: RecordFile, _ path: String, _ choice: Choice
  ) throws(Failure) {
    for name in [choice.name, choice.beside].compactMap({ $0 }) {
      guard let earlier = done[Self.key(path, name)], earlier.identity == file.identity,
        earlier.content != file.content
      else { continue }
      let shown = Visible.text(Folder.joined(path, name))
      throw Failure(.badInput, "'\(shown)' already has this record with other content")
    }
  }

  /// Opens the folder with the given components, and creates it if it is missing.
  ///
  /// A dry run creates no folder. The result is then nil.
  private mutating func open(
    _ names: [String], _ path: inout String
  ) throws(Failure) -> Folder? {
    guard var folder = try Folder.base(base, isMade: !isDryRun) else {
      for name in names { path = Folder.joined(path, plannedFolder(name, path)) }
      return nil
    }
    for (index, name) in names.enumerated() {
      var name = name
      let isNew = folder.kind(name) == nil
      if isNew {
        try list(folder, isLocked: false)
        let spellings = listings[path]?.spellings(of: name) ?? []
        name = spellings.first { folder.holdsFolder($0) } ?? name
      }
      guard let next = try folder.folder(name, isMade: !isDryRun) else {
        for name in names[index...] { path = Folder.joined(path, plannedFolder(name, path)) }
        return nil
      }
      if isNew, !isDryRun { listings[path]?.add(name, to: folder) }
      folder = next
      path = folder.path
    }
    return folder
  }

  /// Reads the names in the given folder, unless they were read before.
  private mutating func list(_ folder: borrowing Folder, isLocked: Bool) throws(Failure) {
    if let known = listings[folder.path], known.isOf(folder), known.isSwept || !isLocked { return }
    listings[folder.path] = try Listing(folder, isLocked: isLocked)
  }

  /// Returns the entries with the given name or with a name that some file system considers equal.
  private func found(
    _ name: String, _ folder: borrowing Folder, _ file: RecordFile
  ) throws(Failure) -> [Choices.Found] {
    let limit = max(Folder.usual, file.bytes.count)
    let content = try folder.content(name, atMost: limit)
    var found: [Choices.Found] = []
    if case .nothing = content {
      for other in listings[folder.path]?.spellings(of: name) ?? [] {
        let content = try folder.content(other, atMost: limit)
        found.append(Choices.Found(other, content, file, replacing: replacesChanged))
      }
    } else {
      found.append(Choices.Found(name, content, file, replacing: replacesChanged))
    }
    return found
  }

  /// Returns the entry that this dry run would have written under the given name; nil if there is
  /// none.
  private func planned(
    _ name: String, _ path: String, _ file: RecordFile
  ) -> [Choices.Found]? {
    done[Self.key(path, name)].map { planned in
      let isSame = planned.identity == file.identity
      return [
        Choices.Found(
          name: planned.name,
          what: !isSame ? .other : planned.content == file.content ? .same : .older,
          content: .nothing)
      ]
    }
  }

  /// Returns the given folder name in the spelling under which this run would first have created
  /// it.
  private mutating func plannedFolder(_ name: String, _ path: String) -> String {
    let key = Self.key(path, name)
    if let planned = done[key] { return planned.name }
    done[key] = Done(name: name, identity: 0, content: "")
    return name
  }

  private static func key(_ path: String, _ name: String) -> Int {
    Folder.joined(path, FileName.folded(name)).hashValue
  }
}
