import Core
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Tailing

/// What a route is asked.
struct HubRequest: Sendable {
  /// The request as it came, its body yet to be read.
  let request: Request
  /// The parts of its path that a route has names for.
  let parameters: Parameters
  /// Who asks; nil where nobody has to say so.
  let visitor: Visitor?
  /// The connection that it came over.
  let ends: Credential.Ends

  /// Bodies are no longer than this unless a route says otherwise.
  static let usualBody = 1 << 20
  /// So long a body may take to come, and a large one, in seconds.
  private static let patience = (usual: 30, large: 300)
  private static let room = BodyRoom(most: 256 << 20)

  /// What the audit calls who asks.
  var actor: String { visitor?.name ?? "nobody" }

  /// A part of the path, without its percent signs.
  ///
  /// - Throws: `BadInput` for one that is not UTF-8 or empty.
  func part(_ name: String) throws(Failure) -> String {
    guard let text = parameters[Substring(name)].flatMap({ String($0).removingPercentEncoding }),
      !text.isEmpty
    else {
      throw Failure(.badInput, "'\(name)' is missing in the path", input: name)
    }
    return text
  }

  /// A value of the query; nil where there is none.
  func query(_ name: String) -> String? {
    request.uri.queryParameters[Substring(name)].map { String($0) }
  }

  /// The values of the query under a name, which may come several times; nil where there is none.
  ///
  /// A comma parts values, one that is percent-encoded is of a value (RFC 3986, section 2.2).
  func list(_ name: String) -> [String]? {
    let pairs = (request.uri.query ?? "").split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let lists = pairs.filter { $0[0] == name }.map { $0.count > 1 ? $0[1] : "" }
    guard !lists.isEmpty else { return nil }
    return lists.flatMap { $0.split(separator: ",").map(Self.text) }
  }

  /// A part of a query without its percent signs, as Hummingbird reads it.
  private static func text(_ part: Substring) -> String {
    part.removingPercentEncoding ?? String(part)
  }

  /// A whole number of the query within bounds.
  ///
  /// - Throws: `BadInput` for anything else.
  func number(_ name: String, in range: ClosedRange<Int>, usual: Int) throws(Failure) -> Int {
    guard let text = query(name) else { return usual }
    guard let number = Int(text), range.contains(number) else {
      throw Failure(
        .badInput, "'\(name)' must be from \(range.lowerBound) to \(range.upperBound)", input: name)
    }
    return number
  }

  /// One of some words of the query.
  ///
  /// - Throws: `BadInput` for another.
  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ type: Value.Type
  ) throws(Failure) -> Value? {
    guard let text = query(name) else { return nil }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.badInput, "'\(name)' must be one of \(known)", input: name)
    }
    return value
  }

  /// The whole body.
  ///
  /// - Parameter limit: How many bytes it may have.
  /// - Returns: Its bytes.
  /// - Throws: `BadInput` of the status 413 for more; `NetworkUnavailable` where it ends too early;
  ///   `Timeout` of the status 408 where it takes too long; `Overloaded`.
  func body(upTo limit: Int = usualBody) async throws(Failure) -> [UInt8] {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw Self.tooLarge(limit)
    }
    let seconds = limit > Self.usualBody ? Self.patience.large : Self.patience.usual
    let end = ContinuousClock.now + .seconds(seconds)
    var bytes: [UInt8] = []
    defer { Self.room.give(bytes.count) }
    do {
      for try await buffer in request.body {
        guard bytes.count + buffer.readableBytes <= limit else { throw Self.tooLarge(limit) }
        guard ContinuousClock.now < end else {
          throw Failure(.timeout, "the body took longer than \(seconds) seconds", status: 408)
        }
        try Self.room.take(buffer.readableBytes)
        bytes.append(contentsOf: buffer.readableBytesView)
      }
    } catch {
      throw error as? Failure
        ?? Failure(.networkUnavailable, "the request ended early", status: 400)
    }
    return bytes
  }

  /// The whole body, unpacked where gzip packed it.
  ///
  /// - Parameter limit: How many bytes it may have, packed and unpacked.
  /// - Returns: Its bytes.
  /// - Throws: As ``body(upTo:)``; `BadInput` of the status 415 for another packing.
  func unpackedBody(upTo limit: Int) async throws(Failure) -> [UInt8] {
    let packing = request.headers[.contentEncoding]?.lowercased() ?? "identity"
    let bytes = try await body(upTo: limit)
    switch packing {
    case "identity": return bytes
    case "gzip":
      do throws(Failure) {
        return try GzipBytes.unpacked(bytes, upTo: limit, name: "the body")
      } catch {
        throw error.kind == .tooLarge ? Self.tooLarge(limit) : error
      }
    default:
      throw Failure(
        .badInput, "the body must be plain or gzip", status: 415, input: "Content-Encoding")
    }
  }

  private static func tooLarge(_ limit: Int) -> Failure {
    Failure(.badInput, "the body is larger than \(limit) bytes", kind: .tooLarge, status: 413)
  }

  /// The body as an object of JSON.
  ///
  /// - Throws: As ``body(upTo:)``; `BadInput` for anything else.
  func object<Value: Decodable>(
    _ type: Value.Type, upTo limit: Int = usualBody
  ) async throws(Failure) -> Value {
    try Self.object(type, in: try await body(upTo: limit))
  }

  /// A body as an object of JSON.
  ///
  /// - Throws: `BadInput` for anything else.
  static func object<Value: Decodable>(
    _ type: Value.Type, in bytes: [UInt8]
  ) throws(Failure) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch DecodingError.keyNotFound(let key, _) {
      throw Failure(.badInput, "the body has no '\(key.stringValue)'", input: key.stringValue)
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let name = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw Failure(
        .badInput, name.isEmpty ? "the body is not an object" : "'\(name)' has the wrong type",
        input: name)
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      let name = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw Failure(.badInput, "'\(name)' has an invalid value", input: name)
    } catch {
      throw Failure(.badInput, "the body is not JSON")
    }
  }
}
