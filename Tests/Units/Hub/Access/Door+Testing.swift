import Core
import Storage

@testable import Hub

extension Door {
  /// The door of a hub that listens nowhere.
  init(in directories: Directories, _ mode: CompanionAuth = .address) throws(Failure) {
    try self.init(
      AccessRule(), mode, HubThreads(), store: try Store(directories),
      reading: try Store(directories), ownerIn: directories)
  }
}
