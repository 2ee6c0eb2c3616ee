import Core

/// The name chosen for a record's file, and the action at this name.
struct Choice {
  var name: String
  var status: FileStatus
  /// The content that the file replaces; nil if it is a new file.
  var replaces: Folder.Content?
  /// The name of a file of the record that a person has changed, which is left unchanged.
  var beside: String?
  /// The content of an unchanged file; nil if the file is written.
  var kept: [UInt8]?
}

/// The existing files at the possible names of a record's file.
struct Choices {
  /// An existing entry at a name.
  struct Found {
    enum What {
      /// A file of the record for its present state, which is left unchanged even if a person has
      /// changed it.
      case same
      /// An unchanged file of the record for an earlier state.
      case older
      /// A file of the record for an earlier state that a person has changed, or that an older
      /// version wrote without a digest.
      case changed
      /// A symbolic link.
      case link
      /// Any other entry, which is left unchanged.
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

  /// Creates an empty collection.
  ///
  /// - Parameter isReplacing: `true` to use the first file of the record without examining other
  ///   names.
  init(isReplacing: Bool) { self.isReplacing = isReplacing }

  /// `true` if the file of the record was found, so that no other name is needed.
  private var isSettled: Bool { same != nil || isReplacing && older != nil }

  /// `true` if a name for the record was found.
  private var hasPlace: Bool { same != nil || older != nil || free != nil }

  /// Returns `true` if the name at the given index of ``FileNames`` must be examined, once the
  /// names before it were added.
  ///
  /// The file of the record may have any of the unnumbered names. Numbered names are used only if
  /// no unnumbered name can be used.
  func needs(_ index: Int) -> Bool {
    !isSettled && (index < FileNames.unnumbered || !hasPlace)
  }

  /// Adds the next name, and the entries found at it or at names that some file system considers
  /// equal.
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

  /// Returns the choice of the record's existing file, otherwise of the first free name.
  ///
  /// - Throws: `StorageFailed` if other files have all possible names.
  func best(in folder: String) throws(Failure) -> Choice {
    guard var choice = same ?? older ?? free else {
      throw Folder.failure(Folder.joined(folder, first), "all its names are taken")
    }
    choice.beside = beside
    return choice
  }
}

extension Choices.Found {
  /// Classifies the entry at the given name.
  ///
  /// - Parameters:
  ///   - name: The name of the entry.
  ///   - content: The content of the entry.
  ///   - file: The record's file as it would be written now.
  ///   - replacing: `true` to replace the record's file even if a person has changed it.
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
