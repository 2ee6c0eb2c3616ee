import Synchronization
import TestSupport

/// An HTTP server on 127.0.0.1 that answers by the path, and closes each connection.
final class PageServer: Sendable {
  private let server: LoopbackServer
  private let answers: Answers

  /// What is prepared, by its path.
  private final class Answers: Sendable {
    let byPath = Mutex<[String: @Sendable (String) -> [UInt8]]>([:])

    func reply(to request: String) -> Reply {
      let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      let answer = byPath.withLock { $0[path] }
      return answer.map { Reply(bytes: $0(request)) }
        ?? Reply("HTTP/1.1 404 No\nContent-Length: 0\n\n")
    }
  }

  init() throws {
    let answers = Answers()
    self.answers = answers
    server = try LoopbackServer { answers.reply(to: $0) }
  }

  /// The port that it listens on.
  var port: UInt16 { server.port }

  /// The URL of a path on this server.
  func url(_ path: String) -> String { server.url(path) }

  /// The heads of the requests so far.
  var requests: [String] { server.requests }

  /// Prepares the answer to a path.
  func on(
    _ path: String, status: Int = 200, fields: [String] = ["Content-Type: text/html"],
    body: String = "", length: Int? = nil
  ) {
    on(path, status: status, fields: fields, bytes: Array(body.utf8), length: length)
  }

  /// Prepares the answer to a path; a length that is not the body's is a lie on purpose.
  func on(_ path: String, status: Int = 200, fields: [String], bytes: [UInt8], length: Int? = nil) {
    let lines =
      ["HTTP/1.1 \(status) Status", "Content-Length: \(length ?? bytes.count)"] + fields
      + ["Connection: close", "", ""]
    let answer = Array(lines.joined(separator: "\r\n").utf8) + bytes
    on(path) { _ in answer }
  }

  /// Prepares an answer that depends on the request's head; without bytes there is none.
  func on(_ path: String, _ answer: @escaping @Sendable (String) -> [UInt8]) {
    answers.byPath.withLock { $0[path] = answer }
  }

  /// How often a path was asked for.
  func count(_ path: String) -> Int {
    requests.count { $0.hasPrefix("GET \(path) ") }
  }

  /// Prepares a redirect.
  func redirect(_ path: String, to location: String) {
    on(path, status: 302, fields: ["Location: \(location)"])
  }
}
