import Foundation
import Processes
import Synchronization

/// A table of processes that a test describes.
final class GivenProcesses: ProcessTable {
  struct Given {
    var entry: ProcessEntry
    var folder: String?
    /// The path of the file that the process executes; nil if it is unknown.
    var program: String?
    var words: [String] = []
    var files: [OpenFile] = []
  }

  private let given = Mutex<[Int32: Given]>([:])

  func set(_ id: Int32, _ process: Given?) { given.withLock { $0[id] = process } }

  var ids: [Int32] { given.withLock { $0.keys.sorted() } }

  func entry(_ id: Int32) -> ProcessEntry? { given.withLock { $0[id]?.entry } }

  func folder(of id: Int32) -> String? { given.withLock { $0[id]?.folder } }

  func program(of id: Int32) -> String? { given.withLock { $0[id]?.program } }

  func group(of id: Int32) -> ControlGroup? { nil }

  func words(of id: Int32) -> [String] { given.withLock { $0[id]?.words ?? [] } }

  func files(of id: Int32) -> [OpenFile] { given.withLock { $0[id]?.files ?? [] } }

  func handle(of id: Int32) -> (any ProcessHandle)? { nil }
}
