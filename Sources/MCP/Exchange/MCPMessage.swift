package import Core

/// A message of JSON-RPC 2.0 that a server sent.
package enum MCPMessage: Sendable {
  /// The answer to a request, and the request's id; nil if the server could not read the id.
  case answer(JSONValue?, MCPReply)
  /// A notification, or a request with its id.
  case incoming(JSONValue?, MCPIncoming)

  /// Returns the messages of the given text, which is a message or an array of messages.
  ///
  /// Values that are not messages are left out.
  ///
  /// - Returns: The messages; nil if the text is not JSON.
  package static func read(_ text: [UInt8]) -> [MCPMessage]? {
    guard let value = JSONText.value(text) else { return nil }
    // Servers of 2025-03-26 may send several messages as an array.
    if case .array(let values) = value { return values.compactMap(MCPMessage.init) }
    return MCPMessage(value).map { [$0] } ?? []
  }

  private init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    let id = members["id"].flatMap { $0 == .null ? nil : $0 }
    if case .string(let method)? = members["method"] {
      let params = members["params"]?.members ?? [:]
      let isRequest = id != nil
      self = .incoming(id, isRequest ? .request(method, params) : .notification(method, params))
    } else if case .object(let result)? = members["result"] {
      self = .answer(id, .result(result))
    } else if let error = members["error"]?.members, case .int(let code)? = error["code"] {
      let text: String? = if case .string(let text)? = error["message"] { text } else { nil }
      self = .answer(id, .error(code, text ?? "", error["data"]))
    } else {
      return nil
    }
  }

  /// Returns the text of a request, or of a notification if it has no id.
  ///
  /// - Throws: `BadInput` if a number is not finite.
  package static func text(
    _ method: String, _ params: [String: JSONValue], id: Int? = nil
  ) throws(Failure) -> [UInt8] {
    var members: [String: JSONValue] = ["method": .string(method)]
    if let id { members["id"] = .int(id) }
    if !params.isEmpty { members["params"] = .object(params) }
    return try text(members)
  }

  /// Returns the text of the reply to the server's request with the given id.
  ///
  /// - Throws: `BadInput` if a number is not finite.
  package static func text(_ reply: MCPReply, to id: JSONValue) throws(Failure) -> [UInt8] {
    switch reply {
    case .result(let result): return try text(["id": id, "result": .object(result)])
    case .error(let code, let message, let data):
      var error: [String: JSONValue] = ["code": .int(code), "message": .string(message)]
      error["data"] = data
      return try text(["id": id, "error": .object(error)])
    }
  }

  private static func text(_ members: [String: JSONValue]) throws(Failure) -> [UInt8] {
    do {
      let whole = members.merging(["jsonrpc": .string("2.0")]) { $1 }
      return try RecordJSON.line(of: JSONValue.object(whole))
    } catch {
      throw Failure(.badInput, "an argument is a number that JSON cannot express")
    }
  }
}

extension JSONValue {
  /// The members of an object; nil for any other value.
  package var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}
