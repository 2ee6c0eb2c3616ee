public import Core
import Foundation

extension ChatStore {
  /// Where a prompt belongs.
  ///
  /// - Parameters:
  ///   - chat: The id of the chat that goes on, or a part of it; nil for none.
  ///   - continues: Whether the chat goes on that was changed last.
  ///   - project: A folder where it holds a slash, else the name of a known project; nil for the
  ///     folder of the Git repository around here, or the one that we are in.
  ///   - isKept: Whether a project is made where there is none.
  /// - Returns: The place.
  /// - Throws: `NotFound`, `StorageFailed`.
  public func place(
    chat: String?, continues: Bool, project: String?, isKept: Bool
  ) throws(Failure) -> ChatPlace {
    if let chat { return ChatPlace(chat: try self.chat(chat)) }
    let folder = project.flatMap { $0.contains("/") ? $0 : nil }
    let named = try (folder == nil ? project : nil).map { (name) throws(Failure) in
      try self.project(named: name)
    }
    if continues {
      let known = try folder.flatMap { (path) throws(Failure) in
        try knownProject(ofFolder: path)
      }
      guard project == nil || known != nil || named != nil,
        let chat = try lastChat(in: (named ?? known)?.id)
      else { throw Self.noChat(project) }
      return ChatPlace(chat: chat)
    }
    if let named { return ChatPlace(projectId: named.id) }
    guard isKept else { return ChatPlace() }
    return ChatPlace(projectId: try self.project(forFolder: folder ?? Self.folderHere).id)
  }

  private static func noChat(_ project: String?) -> Failure {
    let place = project.map { " of '\($0)'" } ?? ""
    return Failure(.notFound, "there is no chat\(place) to continue", input: project)
  }

  /// The folder of the Git repository that we are in, else the one that we are in.
  private static var folderHere: String {
    let here = FileManager.default.currentDirectoryPath
    var folder = here
    while folder != "/", !folder.isEmpty {
      if FileManager.default.fileExists(atPath: folder + "/.git") { return folder }
      folder = (folder as NSString).deletingLastPathComponent
    }
    return here
  }
}
