public import Core
import Foundation
import GRDB

/// Methods for projects and chats.
extension ChatStore {
  /// Returns all projects, the most recently changed first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func projects() throws(Failure) -> [Project] { try read { try $0.projects() } }

  /// Returns the project of the given folder, and creates it if necessary.
  ///
  /// - Parameter folder: A path of the folder. The folder need not exist.
  /// - Returns: The project.
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func project(forFolder folder: String) throws(Failure) -> Project {
    if let known = try knownProject(ofFolder: folder) { return known }
    let path = ProjectFolder.projectPath(folder)
    return try write { tables in
      // Another process may have created it meanwhile.
      if let known = try tables.project(at: path) { return known }
      var project = Project(id: Identifier.make(), name: (path as NSString).lastPathComponent)
      project.localPath = path
      project.lastUpdatedAt = .now
      try tables.store(project)
      return project
    }
  }

  /// Returns the project of the given folder; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func knownProject(ofFolder folder: String) throws(Failure) -> Project? {
    let path = ProjectFolder.projectPath(folder)
    return try read { try $0.project(at: path) }
  }

  /// Returns the project that the given word names.
  ///
  /// A word with a slash names the project's folder. Any other word is its name or a part of its
  /// id.
  ///
  /// - Throws: As ``project(named:)``.
  public func knownProject(_ word: String) throws(Failure) -> Project {
    guard word.contains("/") else { return try project(named: word) }
    guard let project = try knownProject(ofFolder: word) else {
      throw Failure(.notFound, "there are no chats of the folder '\(word)'", input: word)
    }
    return project
  }

  /// Returns the project with the given name, or with an id that contains it.
  ///
  /// - Throws: `NotFound` if there is no such project; `BadUsage` if there are several.
  public func project(named name: String) throws(Failure) -> Project {
    let all = try projects()
    let found = all.filter { $0.name == name }
    guard found.count < 2 else {
      let ids = found.map { "'\($0.id)'" }.joined(separator: ", ")
      throw Failure(.badUsage, "several projects have the name '\(name)': \(ids)", input: name)
    }
    if let project = found.first { return project }
    let id = try IdPart.whole(name, among: all.map(\.id), "project")
    guard let project = all.first(where: { $0.id == id }) else {
      throw Failure(.notFound, "there is no project '\(name)'", input: name)
    }
    return project
  }

  /// Returns a new chat without storing it, for example to store it together with its first turns.
  static func newChat(in projectId: String?, title: String, system: String?) -> Chat {
    var chat = Chat(id: Identifier.make())
    chat.projectId = projectId
    chat.title = title
    chat.system = system
    chat.createdAt = .now
    chat.lastUpdatedAt = chat.createdAt
    return chat
  }

  /// Stores the given chat, replacing its earlier state.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func save(_ chat: Chat) throws(Failure) { try write { try $0.store(chat) } }

  /// Returns the chat whose id is or contains the given text.
  ///
  /// - Throws: `NotFound` if there is no such chat; `BadUsage` with the candidates if there are
  ///   several; `StorageFailed` if the row of the chat is missing.
  public func chat(_ part: String) throws(Failure) -> Chat {
    let found = try read { tables in
      let ids = try tables.ids("chat", like: part)
      return try IdPart.whole(part, among: ids, "chat").flatMap { try tables.chat($0) }
    }
    if let found { return found }
    if let lost = try lostChat(part) { throw missing(chat: lost) }
    throw Self.unknown("chat", part)
  }

  /// Returns the most recently changed chat of the given project, or of all projects if nil;
  /// ignores plannings.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func lastChat(in projectId: String? = nil) throws(Failure) -> Chat? {
    try read { tables in
      try tables.chats(
        "isPlanning = 0 AND (?1 IS NULL OR projectId = ?1)", [projectId], atMost: 1
      ).first
    }
  }

  /// Returns the chats of the given project, or all chats, the most recently changed first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func chats(in projectId: String? = nil) throws(Failure) -> [Chat] {
    try read { try $0.chats("?1 IS NULL OR projectId = ?1", [projectId]) }
  }

  /// Changes the title of the given chat.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func rename(_ chat: Chat, to title: String) throws(Failure) -> Chat {
    try write { tables in
      guard var chat = try tables.chat(chat.id) else { throw Self.unknown("chat", chat.id) }
      chat.title = title
      // The next import of a session keeps the title.
      if chat.agent != nil { chat.labels?["titledBy"] = "person" }
      chat.lastUpdatedAt = .now
      try tables.store(chat)
      return chat
    }
  }

  /// Stores the id of the given chat's session at a tool router.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  func keep(routerSession id: String, in chatId: String) throws(Failure) {
    try write { tables in
      guard var chat = try tables.chat(chatId) else { throw Self.unknown("chat", chatId) }
      chat.toolRouterSessionId = id
      try tables.store(chat)
    }
  }

  /// Deletes the chats and messages with the given ids or parts of ids.
  ///
  /// If any id is unknown, nothing is deleted. The costs remain recorded.
  ///
  /// - Throws: `NotFound` and `BadUsage` as ``chat(_:)``.
  public func remove(_ parts: [String]) throws(Failure) {
    try write { tables in
      var (chats, turns): ([String], [String]) = ([], [])
      for part in parts {
        let (ofChats, ofTurns) = (
          try tables.ids("chat", like: part), try tables.ids("turn", like: part)
        )
        guard let id = try IdPart.whole(part, among: ofChats + ofTurns, "message") else {
          throw Self.unknown("chat or message", part)
        }
        if ofChats.contains(id) { chats.append(id) } else { turns.append(id) }
      }
      try tables.remove(turns: turns)
      try tables.remove(chats: chats)
    }
  }

  static func unknown(_ thing: String, _ part: String) -> Failure {
    Failure(.notFound, "there is no \(thing) '\(part)'", input: part)
  }
}
