import Core
import Foundation

/// The folder that contains the spools of a hub.
///
/// Each process with unsent events has its own spool.
struct HubSpoolPlace: Sendable {
  /// The path of the folder.
  let path: String

  /// Creates the place of the given hub's spools in the state folder.
  init(_ hub: HubChoice, _ directories: Directories) {
    path = "\(directories.state)/hubs/\(hub.keyName)"
  }

  /// Creates a spool for this process.
  ///
  /// - Returns: The spool and its unique id.
  /// - Throws: `StorageFailed` if the spool cannot be created.
  func new() throws(Failure) -> (spool: HubSpool, id: String) {
    while true {
      let id = Identifier.make()
      // Another process that looks for abandoned spools may briefly hold the lock.
      if let spool = try HubSpool("\(path)/\(id)") { return (spool, id) }
    }
  }

  /// Returns the spools that ended processes left.
  ///
  /// They are then locked by this process.
  func abandoned() -> [HubSpool] {
    folders.compactMap { folder in
      let folder = "\(path)/\(folder)"
      guard holdsEvents(folder), let spool = try? HubSpool(folder) else { return nil }
      guard spool.waiting == 0 else { return spool }
      spool.close()
      return nil
    }
  }

  /// Returns the size in bytes of all files except those of the given spool.
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

  /// Returns `true` if the given folder holds events, or has been empty for an hour.
  ///
  /// An empty folder that is younger may be the new spool of another process.
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
