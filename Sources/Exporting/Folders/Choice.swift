import Core

/// The name of a record's file, and the action for it.
struct Choice {
  var name: String
  var status: FileStatus
  /// The content that the file replaces.
  var replaces: Folder.Content?
  /// The record's file that a person has changed, which is not touched.
  var beside: String?
  /// The content of an unchanged file; nil if the file is written.
  var kept: [UInt8]?
}

/// The existing files at the possible names of a record's file.
struct Choices {
  /// An existing entry at a name.
  struct Found {
    enum What {
      /// The record's file for the present record; it stays, even with additions.
      case same
      /// The record's unchanged file for an earlier state of the record.
      case older
      /// The record's file for an earlier state of the record, changed by a person or written
      /// without a digest by an older version.
      case changed
      /// A symbolic link.
      case link
      /// Any other entry, which is not touched.
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
  /// - Parameter isReplacing: `true` to use the first file of the record, whatever is at other
  ///   names.
  init(isReplacing: Bool) { self.isReplacing = isReplacing }

  /// `true` if the record has its file already, so that other names do not matter.
  private var isSettled: Bool { same != nil || isReplacing && older != nil }

  /// `true` if there is a name for the record.
  private var hasPlace: Bool { same != nil || older != nil || free != nil }

  /// Returns `true` if the name with an index in ``FileNames`` must be examined, after the names
  /// before it.
  ///
  /// The record may have any of the unnumbered names. Numbered names are used only if none of these
  /// is available.
  func needs(_ index: Int) -> Bool {
    !isSettled && (index < FileNames.unnumbered || !hasPlace)
  }

  /// Adds the next best name and the entries at it, or at names that some file system considers
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

  /// Returns the name of the record's existing file, otherwise the first free name.
  ///
  /// - Throws: `StorageFailed` if all names are taken.
  func best(in folder: String) throws(Failure) -> Choice {
    guard var choice = same ?? older ?? free else {
      throw Folder.failure(Folder.joined(folder, first), "all its names are taken")
    }
    choice.beside = beside
    return choice
  }
}

extension Choices.Found {
  /// Classifies the entry at a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - content: The content at the name.
  ///   - file: The record's file as it would be written.
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
