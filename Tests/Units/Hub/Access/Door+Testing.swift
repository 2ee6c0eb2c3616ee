import Core
import Storage

@testable import Hub

extension Door {
  /// The door of a hub that listens nowhere.
  init(in directories: Directories, _ mode: CompanionAuth = .address) throws(Failure) {
    let reading = try Store(directories)
    try self.init(
      AccessRule(), mode, HubThreads(), store: try Store(directories), reading: reading,
      devices: DeviceDesk(reading), ownerIn: directories)
  }
}
