public import Core
import Foundation

/// The places of an agent's sessions on this machine.
public struct SessionPlaces: Sendable {
  let agent: CodingAgent
  private let environment: [String: String]

  /// Creates the places of the given agent, with the environment whose variables may move them.
  public init(_ agent: CodingAgent, environment: [String: String]) {
    (self.agent, self.environment) = (agent, environment)
  }

  /// The folders in which the agent keeps its sessions.
  public var roots: [String] { agent.places.roots(in: environment) }

  /// Returns the sources of sessions, those of earlier sessions first if names tell.
  ///
  /// - Parameters:
  ///   - path: A folder of the agent, a folder of its sessions, or a file; nil for ``roots``.
  ///   - fail: Receives a failure for each folder that cannot be read.
  /// - Returns: The sources.
  /// - Throws: `NotFound` if the path does not exist, or if there is none of the folders.
  public func sources(
    in path: String?, onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) -> [SessionSource] {
    let found = (path.map { [$0] } ?? roots).filter { access($0, F_OK) == 0 }
    guard !found.isEmpty else {
      let names = (path.map { [$0] } ?? roots).map { "'\(Visible.line($0))'" }
      throw Failure(
        .notFound, "there are no sessions of \(agent.title): no \(names.joined(separator: ", "))",
        input: path)
    }
    var sources: [SessionSource] = []
    for root in found {
      for folder in searched(root) {
        guard FileTree.isFolder(folder) else {
          sources += self.sources([folder], root)
          continue
        }
        let tree = FileTree(folder)
        for failure in tree.failures { try fail(failure) }
        sources += self.sources(tree.files, root)
      }
      sources += aside(in: root)
    }
    if sources.isEmpty, let path {
      throw Failure(
        .notFound, "there are no sessions of \(agent.title) in '\(Visible.line(path))'", input: path
      )
    }
    return agent.places.ordered(sources)
  }

  /// The folders in which files of sessions appear, those that do not exist included.
  ///
  /// For a database, it is the folder of the database.
  public var watched: [String] {
    roots.map { root in
      if let folder = agent.places.folders.first { return "\(root)/\(folder)" }
      return FileTree.isFolder(root) ? root : (root as NSString).deletingLastPathComponent
    }
  }

  /// Returns the sources in the given files, which lie below ``watched``.
  ///
  /// Titles are texts. They are read from a file of their own only if `isTitled` is `true`.
  public func sources(of files: [String], titled isTitled: Bool = false) -> [SessionSource] {
    roots.flatMap { root in
      sources(files.filter { $0.hasPrefix(root + "/") || $0 == root }, root, titled: isTitled)
    }
  }

  /// Returns the folders below the given root that contain sessions; the root itself if it has no
  /// folder of the usual name.
  private func searched(_ root: String) -> [String] {
    let usual = agent.places.folders.map { "\(root)/\($0)" }.filter(FileTree.isFolder)
    return usual.isEmpty ? [root] : usual
  }

  private func sources(
    _ files: [String], _ root: String, titled isTitled: Bool = true
  ) -> [SessionSource] {
    agent.places.sources(files, root, isTitled)
  }

  /// Returns the source beside the folders of sessions.
  private func aside(in root: String) -> [SessionSource] {
    // Without a folder of sessions, the file was found with all others.
    guard let name = agent.places.aside, searched(root) != [root],
      FileTree.isFile("\(root)/\(name)")
    else { return [] }
    return sources(["\(root)/\(name)"], root)
  }
}
