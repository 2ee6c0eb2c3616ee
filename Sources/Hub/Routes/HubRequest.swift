import Core
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Tailing

/// A request, as a route receives it.
struct HubRequest: Sendable {
  /// The request, with its body unread.
  let request: Request
  /// The values of the path's parameters.
  let parameters: Parameters
  /// The authenticated sender; nil if the route needs no credentials.
  let visitor: Visitor?
  /// The ends of the request's connection.
  let ends: Credential.Ends

  /// The default limit of a body's size in bytes.
  static let usualBody = 1 << 20
  /// The time limits in seconds for receiving a body: of at most the default size, or larger.
  static let patience = (usual: 30, large: 300)
  /// The limit on all incomplete bodies together.
  static let room = BodyRoom(most: 256 << 20)

  /// The name of the sender in the audit log.
  var actor: String { visitor?.name ?? "nobody" }

  /// Returns the path parameter with the given name.
  ///
  /// It is percent-decoded.
  ///
  /// - Throws: `BadInput` if the parameter is empty or not UTF-8.
  func part(_ name: String) throws(Failure) -> String {
    guard let text = parameters[Substring(name)].flatMap({ String($0).removingPercentEncoding }),
      !text.isEmpty
    else {
      throw Failure(.badInput, "'\(name)' is missing in the path", input: name)
    }
    return text
  }

  /// Returns the value of the query parameter with the given name; nil if it is missing.
  func query(_ name: String) -> String? {
    request.uri.queryParameters[Substring(name)].map { String($0) }
  }

  /// Returns the values of the query parameter with the given name; nil if it is missing.
  ///
  /// The parameter may occur repeatedly, and commas separate values. A percent-encoded comma is
  /// part of a value (RFC 3986, section 2.2).
  func list(_ name: String) -> [String]? {
    let pairs = (request.uri.query ?? "").split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let lists = pairs.filter { $0[0] == name }.map { $0.count > 1 ? $0[1] : "" }
    guard !lists.isEmpty else { return nil }
    return lists.flatMap { $0.split(separator: ",").map(Self.text) }
  }

  /// Percent-decodes the given part of a query in the same way as Hummingbird.
  private static func text(_ part: Substring) -> String {
    part.removingPercentEncoding ?? String(part)
  }

  /// Returns the whole number in the query parameter with the given name; `usual` if it is missing.
  ///
  /// - Throws: `BadInput` if the value is not a whole number in the range.
  func number(_ name: String, in range: ClosedRange<Int>, usual: Int) throws(Failure) -> Int {
    guard let text = query(name) else { return usual }
    guard let number = Int(text), range.contains(number) else {
      throw Failure(
        .badInput, "'\(name)' must be from \(range.lowerBound) to \(range.upperBound)", input: name)
    }
    return number
  }

  /// Returns the query parameter with the given name as a case of `type`; nil if it is missing.
  ///
  /// - Throws: `BadInput` if the value is not a case of `type`.
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

  /// Reads the whole body.
  ///
  /// - Parameter limit: The largest size in bytes.
  /// - Returns: The bytes of the body.
  /// - Throws: `BadInput` (status 413) if the body is larger; `NetworkUnavailable` if the body ends
  ///   early; `Timeout` (status 408) if receiving takes too long; `Overloaded` if all incomplete
  ///   bodies together are too large.
  func body(upTo limit: Int = usualBody) async throws(Failure) -> [UInt8] {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw Self.tooLarge(limit)
    }
    let seconds = limit > Self.usualBody ? Self.patience.large : Self.patience.usual
    let end = ContinuousClock.now + .seconds(seconds)
    var bytes: [UInt8] = []
    defer { Self.room.release(bytes.count) }
    do {
      for try await buffer in request.body {
        guard bytes.count + buffer.readableBytes <= limit else { throw Self.tooLarge(limit) }
        guard ContinuousClock.now < end else {
          throw Failure(.timeout, "the body took longer than \(seconds) seconds", status: 408)
        }
        try Self.room.reserve(buffer.readableBytes)
        bytes.append(contentsOf: buffer.readableBytesView)
      }
    } catch {
      throw error as? Failure
        ?? Failure(.networkUnavailable, "the request ended early", status: 400)
    }
    return bytes
  }

  /// Reads the whole body.
  ///
  /// If it is compressed with gzip, it is decompressed.
  ///
  /// - Parameter limit: The largest size in bytes, before and after decompression.
  /// - Returns: The bytes of the body.
  /// - Throws: As ``body(upTo:)``; `BadInput` (status 415) if the body is neither plain nor gzip.
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

  /// Reads the body as the fields of a form (URL Standard, `application/x-www-form-urlencoded`).
  ///
  /// - Throws: As ``body(upTo:)``; `BadInput` (status 415) if the body is of another type.
  func form() async throws(Failure) -> [String: String] {
    let type = request.headers[.contentType]?.lowercased().prefix { $0 != ";" }
    guard type == "application/x-www-form-urlencoded" else {
      throw Failure(.badInput, "the body must be a form", status: 415, input: "Content-Type")
    }
    return Self.fields(String(decoding: try await body(upTo: 64 << 10), as: UTF8.self))
  }

  /// The query as the fields of a form that was sent by GET.
  var queryFields: [String: String] { Self.fields(request.uri.query ?? "") }

  /// Returns the fields of a form in the given text.
  private static func fields(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        Self.text(Substring($0.replacing("+", with: " ")))
      }
    }
    return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
  }

  /// Reads the body and decodes it as a JSON object.
  ///
  /// - Throws: As ``body(upTo:)``; `BadInput` if the body is malformed.
  func object<Value: Decodable>(
    _ type: Value.Type, upTo limit: Int = usualBody
  ) async throws(Failure) -> Value {
    try Self.object(type, in: try await body(upTo: limit))
  }

  /// Decodes the given body as a JSON object.
  ///
  /// - Throws: `BadInput` if the body is malformed.
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
