import Core
import Foundation

/// The folders that contain the spools of a hub, or of a group of hubs.
///
/// Each process with unsent events has its own spool. It is in the folder of the first hub of the
/// list. The spools in the folders of the other hubs are also sent, because all hubs of a group
/// have the same records. An event is therefore not left behind if the order of the list changes, or
/// if a hub is added to it.
struct HubSpoolPlace: Sendable {
  /// The path of the folder for new spools.
  let path: String
  private let paths: [String]

  /// Creates the place of the given hubs' spools in the state folder.
  ///
  /// There is at least one hub.
  init(_ hubs: [HubChoice], _ directories: Directories) {
    paths = hubs.map { "\(directories.state)/hubs/\($0.keyName)" }
    path = paths[0]
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
      guard holdsEvents(folder), let spool = try? HubSpool(folder) else { return nil }
      guard spool.waiting == 0 else { return spool }
      spool.close()
      return nil
    }
  }

  /// Returns the size in bytes of all files except those of the given spool.
  func bytes(except own: HubSpool) -> Int {
    folders.reduce(0) { sum, folder in
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

  /// The paths of all spools.
  private var folders: [String] {
    paths.flatMap { path in
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        .map { "\(path)/\($0)" }
    }
  }
}
