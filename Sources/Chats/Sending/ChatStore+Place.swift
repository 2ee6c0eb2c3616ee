public import Core
import Foundation

extension ChatStore {
  /// Returns the place that the given options select for a prompt.
  ///
  /// - Parameters:
  ///   - chat: The id of the chat to continue, or a part of it; nil for none.
  ///   - continues: `true` to continue the most recently changed chat.
  ///   - project: A folder if the text contains a slash, otherwise the name of a known project; nil
  ///     for the current Git repository or, outside of one, the current folder.
  ///   - isStored: `true` to create the project if it does not exist.
  /// - Returns: The place.
  /// - Throws: `NotFound` if the chat or project does not exist; `StorageFailed` if the store
  ///   cannot be read or written.
  public func place(
    chat: String?, continues: Bool, project: String?, isStored: Bool
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
    guard isStored else { return ChatPlace() }
    return ChatPlace(projectId: try self.project(forFolder: folder ?? Self.folderHere).id)
  }

  private static func noChat(_ project: String?) -> Failure {
    let place = project.map { " of '\($0)'" } ?? ""
    return Failure(.notFound, "there is no chat\(place) to continue", input: project)
  }

  /// The folder of the current Git repository; outside of one, the current folder.
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
