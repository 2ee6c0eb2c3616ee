public import Core
import Foundation
import HTTP
import HubClient
import Keys
import Storage
import Tokens

/// Checks of the problems that are common.
extension Checkup {
  /// The free space in bytes below which tools soon fail.
  private static let leastSpace = 100_000_000.0
  /// The seconds by which a file may be newer than the clock.
  private static let tolerance = 60.0

  /// Returns the result of each check, and asks the hubs of this machine and of the configuration.
  ///
  /// - Returns: The checks, in the order in which a person should mend what is wrong.
  public func examine() async -> [Check] {
    let machine = [permissions, space, clock] + libraries
    let settings: Settings
    do throws(Failure) {
      settings = try surroundings.configuration()
    } catch {
      return [Check("configuration", error)] + machine
        + state(of: nil).filter { $0.status == .wrong }
    }
    var checks = [Check("configuration", .ok, "it can be read")] + machine
    checks += state(of: settings).filter { $0.status == .wrong }
    var words = settings.hubs.keys.sorted()
    if let list = surroundings.environment[Place.variable] {
      words = list.split(separator: ",").map(String.init) + words
    }
    if OwnHub.isServing(directories), let own = try? OwnHub.existing(in: directories) {
      words.append(own.url)
    }
    var asked: Set<String> = []
    words = words.filter { word in
      asked.insert((try? HubChoice.named(word, among: settings.hubs).url) ?? word).inserted
    }
    for word in words { checks.append(await hub(word, settings)) }
    return checks
  }

  private var permissions: Check {
    check("permissions") { () throws(Failure) in
      _ = try OwnerToken.existing(in: directories)
      _ = try OwnHub.existing(in: directories)
      let wanted = [directories.config, directories.data, directories.state, directories.cache]
      // The first tool that needs a folder creates it.
      for folder in Set(wanted.map(Self.existing)).sorted() { try Self.write(in: folder) }
      return Check("permissions", .ok, "the folders are writable, and secrets are private")
    }
  }

  /// Returns the nearest existing folder of the given path.
  private static func existing(_ folder: String) -> String {
    var folder = folder
    while access(folder, F_OK) != 0, folder.count > 1 {
      folder = (folder as NSString).deletingLastPathComponent
    }
    return folder
  }

  /// Writes a file in the given folder to the disk, and removes it.
  ///
  /// The permissions alone do not show a disk that is full, read-only or broken.
  private static func write(in folder: String) throws(Failure) {
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    // If this process is killed, the next tool that writes there removes a file of this name.
    let path = "\(folder)/.agentpipes-\(number).tmp"
    let file = Descriptor(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
    let block = [UInt8](repeating: 0x20, count: 4096)
    let isWritten =
      file.isOpen && Foundation.write(file.number, block, block.count) == block.count
      && fsync(file.number) == 0 && access(folder, R_OK | X_OK) == 0
    let reason = String(cString: strerror(errno))
    if file.isOpen { unlink(path) }
    guard !isWritten else { return }
    throw Failure(
      .storageFailed, "'\(folder)' cannot be written: \(reason)", input: folder,
      nextStep: "make it writable, or set AGENTPIPES_HOME to another folder")
  }

  private var space: Check {
    let folder = Self.existing(directories.data)
    var facts = statvfs()
    guard statvfs(folder, &facts) == 0 else {
      return Check("space", .wrong, "the space of '\(folder)' is unknown")
    }
    let free = Double(facts.f_bavail) * Double(facts.f_frsize)
    let summary = "\(String(format: "%.1f", free / 1e9)) GB are free for '\(folder)'"
    guard free >= Self.leastSpace else {
      return Check("space", .wrong, summary, nextStep: "free space there, or move AGENTPIPES_HOME")
    }
    return Check("space", .ok, summary)
  }

  private var clock: Check {
    let files = ["store.db", "store.db-wal", "events.db", "events.db-wal"].compactMap { name in
      try? FileManager.default.attributesOfItem(atPath: "\(directories.data)/\(name)")[
        .modificationDate] as? Date
    }
    let ahead = (files.max() ?? .distantPast).timeIntervalSinceNow
    guard ahead <= Self.tolerance else {
      return Check(
        "clock", .wrong, "the newest record is \(Int(ahead)) s ahead of the clock",
        nextStep: "set the clock: timedatectl set-ntp true")
    }
    return Check("clock", .ok, "it is not behind the newest record")
  }

  private var libraries: [Check] {
    let needed = SystemLibrary.allCases.filter { !$0.isOptional }
    let missing = needed.filter { !$0.isAvailable }
    guard missing.isEmpty else {
      return missing.map {
        Check("libraries", .wrong, "\($0.rawValue) is missing", nextStep: $0.installation)
      }
    }
    let names = needed.map(\.rawValue).joined(separator: ", ")
    return [Check("libraries", .ok, "\(names) can be loaded")]
  }

  private func hub(_ word: String, _ settings: Settings) async -> Check {
    do throws(Failure) {
      var peer = try HubPeer(
        named: word, in: settings, keys: surroundings.keys(settings), directories: directories)
      peer.timeouts = HTTPTimeouts(connect: 3, idle: 5, total: 5)
      _ = try await peer.get("/v1/overview")
      return Check("hub", .ok, "'\(peer.hub.url)' answers, and accepts this machine")
    } catch {
      return Check("hub", error)
    }
  }
}
