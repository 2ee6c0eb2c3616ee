import Core
import Foundation

/// A reader of the processes of this user.
///
/// Tests replace the system's table by one whose processes they end and start at any moment.
public protocol ProcessTable: Sendable {
  /// The ids of all processes.
  var ids: [Int32] { get }
  /// Returns the entry of the given process; nil if it does not exist or belongs to another user.
  func entry(_ id: Int32) -> ProcessEntry?
  /// Returns the working folder of the given process; nil if it is unknown.
  func folder(of id: Int32) -> String?
  /// Returns the path of the file that the given process executes; nil if it is unknown.
  func program(of id: Int32) -> String?
  /// Returns the first words of the given process's command; empty if it is unknown.
  func words(of id: Int32) -> [String]
  /// Returns the control group of the given process; nil if it has none of its own.
  func group(of id: Int32) -> ControlGroup?
  /// Returns the files that the given process has open.
  func files(of id: Int32) -> [OpenFile]
  /// Opens a handle of the given process; nil if the process does not exist.
  func handle(of id: Int32) -> (any ProcessHandle)?
}

extension ProcessTable {
  /// Returns `true` if a signal stopped the given process, or its control group is frozen.
  public func isHeld(_ entry: ProcessEntry) -> Bool {
    entry.isStopped || group(of: entry.identity.id)?.isFrozen ?? false
  }
}

/// A handle of a process, which never refers to another process, even if the id is reused.
public protocol ProcessHandle {
  /// Sends the given signal to the process.
  ///
  /// - Returns: `true` if the process received it.
  func send(_ number: Int32) -> Bool
}

/// A file that a process has open.
public struct OpenFile: Sendable, Hashable {
  /// The device and the inode.
  public var device, inode: UInt64
  /// `true` if the process may write the file.
  public var isWritable: Bool
  /// The path; empty if it is unknown.
  public var path: String

  /// Creates the description of a file.
  public init(device: UInt64, inode: UInt64, isWritable: Bool, path: String = "") {
    (self.device, self.inode) = (device, inode)
    (self.isWritable, self.path) = (isWritable, path)
  }
}

/// The processes of this system, as proc(5) shows them.
///
/// On systems without proc(5), there are none.
public struct SystemProcesses: ProcessTable {
  /// The number of words that are read of a command.
  private static let mostWords = 32

  /// Creates a reader.
  public init() {}

  /// The ids of all processes.
  public var ids: [Int32] {
    Descriptor.names(in: "/proc")?.compactMap { Int32($0) } ?? []
  }

  /// Returns the entry of the given process; nil if it does not exist or belongs to another user.
  public func entry(_ id: Int32) -> ProcessEntry? {
    let file = Descriptor(open("/proc/\(id)/stat", O_RDONLY | O_CLOEXEC))
    guard file.isOpen, file.status()?.st_uid == geteuid(), let bytes = file.bytes(atMost: 4096)
    else { return nil }
    return ProcessEntry(String(decoding: bytes, as: UTF8.self))
  }

  /// The word that the system adds to the path of a file or a folder that was removed.
  private static let removed = " (deleted)"

  /// Returns the working folder of the given process; nil if it is unknown.
  public func folder(of id: Int32) -> String? { target("/proc/\(id)/cwd") }

  /// Returns the path of the file that the given process executes; nil if it is unknown.
  public func program(of id: Int32) -> String? { target("/proc/\(id)/exe") }

  private func target(_ link: String) -> String? {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      return nil
    }
    // A program that was updated runs on without its file.
    return path.hasSuffix(Self.removed) ? String(path.dropLast(Self.removed.count)) : path
  }

  /// Returns the control group of the given process; nil if it has none of its own.
  public func group(of id: Int32) -> ControlGroup? { ControlGroup(of: id) }

  /// Returns the first words of the given process's command; empty if it is unknown.
  public func words(of id: Int32) -> [String] {
    let file = Descriptor(open("/proc/\(id)/cmdline", O_RDONLY | O_CLOEXEC))
    guard file.isOpen, let bytes = file.bytes(atMost: 8192) else { return [] }
    return bytes.split(separator: 0, maxSplits: Self.mostWords).prefix(Self.mostWords)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the files that the given process has open.
  public func files(of id: Int32) -> [OpenFile] {
    guard let names = Descriptor.names(in: "/proc/\(id)/fd") else { return [] }
    return names.compactMap { name in
      var status = stat()
      guard stat("/proc/\(id)/fd/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
      else { return nil }
      let path = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(id)/fd/\(name)")
      return OpenFile(
        device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
        isWritable: Self.isWritable("/proc/\(id)/fdinfo/\(name)"), path: path ?? "")
    }
  }

  private static func isWritable(_ path: String) -> Bool {
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC))
    guard file.isOpen, let bytes = file.bytes(atMost: 1024) else { return false }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let flags = lines.first { $0.hasPrefix("flags:") }?.split(whereSeparator: \.isWhitespace).last
    return flags.flatMap { Int32($0, radix: 8) }.map { $0 & O_ACCMODE != O_RDONLY } ?? false
  }

  /// Opens a handle of the given process; nil if the process does not exist.
  public func handle(of id: Int32) -> (any ProcessHandle)? { ProcessDescriptor(of: id) }
}

extension ProcessDescriptor: ProcessHandle {}
