import Core

/// The name that a record's file gets, and what happens there.
struct Choice {
  var name: String
  var status: FileStatus
  /// What the file takes the place of.
  var replaces: Folder.Content?
  /// The record's file that a person has changed, and that is left alone.
  var beside: String?
  /// What the file holds then; nil when it is what the record says.
  var kept: [UInt8]?
}

/// What stands in the way of each name that a record's file may have.
struct Choices {
  /// What has a name already.
  struct Found {
    enum What {
      /// The record's file, and the record is as it was: the file stays, whatever has been added.
      case same
      /// The record's file as it was written, and the record has changed.
      case older
      /// The record's file, changed by a person or by a version of this tool that kept no digest,
      /// and the record has changed.
      case changed
      /// A symbolic link.
      case link
      /// Anything else: it is left alone.
      case other
    }

    var name: String
    var what: What
    var content: Folder.Content
  }

  private let isReplacing: Bool
  private var same: Choice?
  private var older: Choice?
  private var free: Choice?
  private var beside: String?
  private var first = ""

  /// Looks for a place.
  ///
  /// - Parameter isReplacing: Whether the first file of the record is taken, whatever is in others.
  init(isReplacing: Bool) { self.isReplacing = isReplacing }

  /// Whether the record has its file already, so that no other name matters.
  private var isSettled: Bool { same != nil || isReplacing && older != nil }

  /// Whether the record has a place.
  private var hasPlace: Bool { same != nil || older != nil || free != nil }

  /// Whether a name is looked at, by its place among the record's ``FileNames``, once those before it
  /// were.
  ///
  /// The record may be under any of the first; numbers are for when it has no place there.
  func needs(_ index: Int) -> Bool {
    !isSettled && (index < FileNames.unnumbered || !hasPlace)
  }

  /// Adds the next best name, and what has it or one that some file system takes for it.
  mutating func add(_ name: String, _ found: [Found]) {
    if first.isEmpty { first = name }
    for found in found where !isSettled {
      switch found.what {
      case .same:
        same = Choice(name: found.name, status: .unchanged, kept: found.content.bytes)
      case .older where older == nil:
        older = Choice(name: found.name, status: .updated, replaces: found.content)
      case .changed where older == nil && beside == nil: beside = found.name
      case .older, .changed, .link, .other: break
      }
    }
    guard free == nil else { return }
    if found.isEmpty {
      free = Choice(name: name, status: .created)
    } else if found.count == 1, found[0].what == .link, found[0].name.utf8.elementsEqual(name.utf8)
    {
      free = Choice(name: name, status: .created, replaces: .link)
    }
  }

  /// The name that holds the record already, else the first that is free.
  ///
  /// - Throws: `StorageFailed` when all are taken.
  func best(in folder: String) throws(Failure) -> Choice {
    guard var choice = same ?? older ?? free else {
      throw Folder.failure(Folder.joined(folder, first), "all its names are taken")
    }
    choice.beside = beside
    return choice
  }
}

extension Choices.Found {
  /// Judges what has the name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - content: What it stands for.
  ///   - file: The record's file as it would be written.
  ///   - replacing: Whether the record's file is replaced even if a person has changed it.
  init(_ name: String, _ content: Folder.Content, _ file: RecordFile, replacing: Bool) {
    self.name = name
    self.content = content
    what =
      switch content {
      case .file(let bytes) where bytes == file.bytes: .same
      case .file(let bytes):
        switch file.mark.standing(of: bytes) {
        case nil: .other
        case _ where replacing: .older
        case .same: .same
        case .older: .older
        case .changed: .changed
        }
      case .link: .link
      case .nothing, .other: .other
      }
  }
}
