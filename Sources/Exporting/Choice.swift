import Core

/// The name that a record's file gets, and what happens there.
struct Choice {
  var name: String
  var status: FileStatus
  var isReplacing = false
}

/// What stands in the way of each name that a record's file may have.
struct Choices {
  /// What has a name already.
  struct Found {
    enum What {
      /// The record's file, with the same bytes, or with others.
      case same, older
      /// A symbolic link.
      case link
      /// Anything else: it is left alone.
      case other
    }

    var name: String
    var what: What
  }

  private let document: Document
  private var own: Choice?
  private var free: Choice?
  private var first = ""

  init(_ document: Document) { self.document = document }

  /// Whether the record has its file already, so that no other name matters.
  var isSettled: Bool { own != nil }

  /// Adds the next best name, and what has it or one that some file system takes for it.
  mutating func add(_ name: String, _ found: [Found]) {
    if first.isEmpty { first = name }
    for found in found where own == nil {
      switch found.what {
      case .same: own = Choice(name: found.name, status: .unchanged)
      case .older: own = Choice(name: found.name, status: .updated, isReplacing: true)
      case .link, .other: break
      }
    }
    guard free == nil else { return }
    if found.isEmpty {
      free = Choice(name: name, status: .created)
    } else if found.count == 1, found[0].what == .link, found[0].name == name {
      free = Choice(name: name, status: .created, isReplacing: true)
    }
  }

  /// The name that holds the record already, else the first that is free.
  ///
  /// - Throws: `StorageFailed` when all are taken.
  func best(in folder: String) throws(Failure) -> Choice {
    guard let choice = own ?? free else {
      throw Folder.failure(Folder.joined(folder, first), "its names are taken")
    }
    return choice
  }
}

extension Choices.Found {
  /// Judges what has the name.
  init(_ name: String, _ content: Folder.Content, _ document: Document) {
    self.name = name
    what =
      switch content {
      case .file(let bytes) where bytes == document.bytes: .same
      case .file(let bytes) where document.mark?.isIn(bytes) ?? false: .older
      case .link: .link
      case .file, .nothing, .other: .other
      }
  }
}
