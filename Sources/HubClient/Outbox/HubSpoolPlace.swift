import Core
import Foundation

/// Where events wait for a hub: a folder for each process that has some.
struct HubSpoolPlace: Sendable {
  /// The folder of those folders.
  let path: String

  /// The place for a hub, in the state folder.
  init(_ hub: HubChoice, _ directories: Directories) {
    path = "\(directories.state)/hubs/\(hub.keyName)"
  }

  /// A folder for this process.
  ///
  /// - Returns: The spool, and its id, which is that of no other.
  /// - Throws: `StorageFailed`.
  func new() throws(Failure) -> (spool: HubSpool, id: String) {
    while true {
      let id = Identifier.make()
      // Who looks for what others left may hold it for a moment.
      if let spool = try HubSpool("\(path)/\(id)") { return (spool, id) }
    }
  }

  /// What processes left that are no more; nobody else takes it over meanwhile.
  func left() -> [HubSpool] {
    folders.compactMap { folder in
      let folder = "\(path)/\(folder)"
      guard holdsEvents(folder), let spool = try? HubSpool(folder) else { return nil }
      guard spool.waiting == 0 else { return spool }
      spool.close()
      return nil
    }
  }

  /// How many bytes of files there are, but for those of one spool.
  func bytes(except own: HubSpool) -> Int {
    folders.reduce(0) { sum, folder in
      let folder = "\(path)/\(folder)"
      guard folder != own.folder else { return sum }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return files.reduce(sum) { sum, file in
        var status = stat()
        return stat("\(folder)/\(file)", &status) == 0 ? sum + Int(status.st_size) : sum
      }
    }
  }

  /// Whether there is something in a folder; one that is empty may be about to be somebody's, unless it
  /// has been so for a while.
  private func holdsEvents(_ folder: String) -> Bool {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    if files.contains(where: { $0 != "lock" }) { return true }
    let changedAt = try? FileManager.default.attributesOfItem(atPath: folder)[.modificationDate]
    return (changedAt as? Date).map { $0.timeIntervalSinceNow < -3600 } ?? false
  }

  private var folders: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
