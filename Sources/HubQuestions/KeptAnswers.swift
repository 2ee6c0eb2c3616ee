import Core
import Foundation

/// The stored responses of a hub, in one file for each question.
///
/// No response contains credentials. Failures to store or read a response are ignored.
struct KeptAnswers {
  /// A response and the time of its arrival.
  struct Answer {
    var at: Timestamp
    var body: [UInt8]
  }

  private let hub: String
  private let folder: String
  /// The largest number of stored responses of all hubs, and the largest size of one response in
  /// bytes.
  private static let most = (files: 256, bytes: 4 << 20)

  /// Creates the store for the responses of the given hub.
  init(_ hub: String, _ directories: Directories) {
    self.hub = hub
    folder = directories.state + "/hubs/answers"
  }

  /// Returns the stored response to the question with the given path; nil if there is none.
  func read(_ path: String) -> Answer? {
    guard let bytes = try? PrivateFile.read(file(path)),
      let end = bytes.firstIndex(of: 0x0A),
      let head = JSONObject(Array(bytes[..<end])), head.string("path") == path,
      head.string("hub") == hub, let at = head.number("ts"), at.isFinite, abs(at) < 1e15
    else { return nil }
    return Answer(at: Timestamp(milliseconds: Int64(at)), body: Array(bytes[(end + 1)...]))
  }

  /// Stores the given response to the question with the given path.
  ///
  /// The response has just arrived.
  func store(_ body: [UInt8], as path: String) {
    let now = Timestamp.now
    guard body.count <= Self.most.bytes else { return forget(path) }
    let head = [
      "\"hub\":" + String(decoding: JSONString.literal(hub), as: UTF8.self),
      "\"path\":" + String(decoding: JSONString.literal(path), as: UTF8.self),
      "\"ts\":\(now.milliseconds)",
    ]
    do throws(Failure) {
      try Directories.make(folder)
      try PrivateFile.write(
        Array("{\(head.joined(separator: ","))}\n".utf8) + body, to: file(path))
    } catch {
      // The caller already has the response, and the next caller queries the hub again.
      return
    }
    sweep()
  }

  /// Deletes the stored response to the question with the given path.
  func forget(_ path: String) { unlink(file(path)) }

  private func file(_ path: String) -> String {
    let digest = SHA256Digest.hexadecimal(Array("\(hub) \(path)".utf8))
    return "\(folder)/\(digest.prefix(32)).json"
  }

  /// Deletes the oldest stored responses if there are too many.
  private func sweep() {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder),
      names.count > Self.most.files
    else { return }
    let dated = names.filter { $0.hasSuffix(".json") }.map { (name: $0, date: date(of: $0)) }
    for file in dated.sorted(by: { $0.date < $1.date }).dropLast(Self.most.files) {
      unlink("\(folder)/\(file.name)")
    }
  }

  private func date(of name: String) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }
}
