import Core

/// The name that was chosen for a record's file, and the action to perform there.
struct Choice {
  var name: String
  var status: FileStatus
  /// The content that the file replaces; nil if the file is new.
  var replaces: Folder.Content?
  /// The name of the record's earlier file; nil if there is none.
  ///
  /// That file is left unchanged, because a person has changed it.
  var beside: String?
  /// The content of the file that is left unchanged; nil if the file is written.
  var kept: [UInt8]?
}

/// The existing entries at the names that a record's file may have.
struct Choices {
  /// An existing entry at one of the names.
  struct Found {
    enum What {
      /// The entry is the file for the present content of the record.
      ///
      /// It is left unchanged, even if a person has changed it.
      case same
      /// The entry is the record's file for an earlier state, and nobody has changed it.
      case older
      /// The entry is the record's file for an earlier state, and a person has changed it.
      ///
      /// A file that an older version wrote without a digest counts as changed.
      case changed
      /// The entry is a symbolic link.
      case link
      /// The entry is something else. It is left unchanged.
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
  /// - Parameter isReplacing: `true` to use the first file of the record that is found, and examine
  ///   no other names.
  init(isReplacing: Bool) { self.isReplacing = isReplacing }

  /// `true` if the record's file was found.
  ///
  /// No other name is then needed.
  private var isSettled: Bool { same != nil || isReplacing && older != nil }

  /// `true` if a name that the record's file can have was found.
  private var hasPlace: Bool { same != nil || older != nil || free != nil }

  /// Returns `true` if the name at the given index of ``FileNames`` must be examined.
  ///
  /// All names before it must have been added. The record's file may have any of the unnumbered
  /// names. Numbered names are used only if no unnumbered name can be used.
  func needs(_ index: Int) -> Bool {
    !isSettled && (index < FileNames.unnumbered || !hasPlace)
  }

  /// Adds the next name, with the entries found there.
  ///
  /// Entries at names that some file system considers equal are included.
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

  /// Returns the choice of the record's existing file.
  ///
  /// If there is none, the first free name is chosen.
  ///
  /// - Throws: `StorageFailed` if other files occupy all possible names.
  func best(in folder: String) throws(Failure) -> Choice {
    guard var choice = same ?? older ?? free else {
      throw Folder.failure(Folder.joined(folder, first), "all its names are taken")
    }
    choice.beside = beside
    return choice
  }
}

extension Choices.Found {
  /// Classifies the given entry of a folder.
  ///
  /// - Parameters:
  ///   - name: The name of the entry.
  ///   - content: The content of the entry.
  ///   - file: The file that would be written for the record now.
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
        case .same: .same
        case _ where replacing: .older
        case .edited: .same
        case .older: .older
        case .changed: .changed
        }
      case .link: .link
      case .nothing, .other: .other
      }
  }
}
