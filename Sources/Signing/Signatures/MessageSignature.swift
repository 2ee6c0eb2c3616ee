public import Core
import Foundation
import RawStructuredFieldValues

/// A signature of an HTTP request, as its header fields express it (RFC 9421, section 4).
public struct MessageSignature: Sendable, Hashable {
  /// The names of the components that the signature covers, in order.
  public var components: [String]
  /// The time of the signature, in seconds since 1970.
  public var created: Int?
  /// The time at which the signature expires, in seconds since 1970.
  public var expires: Int?
  /// The random value that makes the signature unique.
  public var nonce: String?
  /// The id of the key that made the signature.
  public var keyId: String?
  /// The name of the algorithm; nil if the key determines it.
  public var algorithm: String?
  /// The value of `@signature-params`, which the signature also covers.
  var parameters: String
  /// The bytes of the signature itself.
  var bytes: [UInt8]

  /// Reads the signature from the given field values.
  ///
  /// It is nil if the values are malformed, contain several signatures, or have unknown parameters.
  ///
  /// - Parameters:
  ///   - input: The value of `Signature-Input`.
  ///   - signature: The value of `Signature`.
  public init?(input: String, signature: String) {
    var inputs = StructuredFieldValueParser(Array(input.utf8))
    var signatures = StructuredFieldValueParser(Array(signature.utf8))
    guard let told = try? inputs.parseDictionaryFieldValue(), told.count == 1,
      let made = try? signatures.parseDictionaryFieldValue(), made.count == 1,
      let (label, entry) = told.first(where: { _ in true }),
      case .innerList(let list) = entry, case .item(let item)? = made[label],
      item.rfc9651Parameters.isEmpty,
      case .undecodedByteSequence(let text) = item.rfc9651BareItem,
      let bytes = Data(base64Encoded: text)
    else { return nil }
    var components: [String] = []
    for component in list.bareInnerList {
      guard case .string(let name) = component.rfc9651BareItem, component.rfc9651Parameters.isEmpty,
        name == name.lowercased(), !components.contains(name)
      else { return nil }
      components.append(name)
    }
    self.components = components
    for (name, value) in list.rfc9651Parameters {
      switch (name, value) {
      case ("created", .integer(let seconds)): created = Int(seconds)
      case ("nonce", .string(let text)): nonce = text
      case ("keyid", .string(let text)): keyId = text
      case ("alg", .string(let text)): algorithm = text
      case ("expires", .integer(let seconds)): expires = Int(seconds)
      case ("tag", .string): break
      default: return nil
      }
    }
    var serializer = StructuredFieldValueSerializer()
    guard let parameters = try? serializer.writeListFieldValue([.innerList(list)]) else {
      return nil
    }
    self.parameters = String(decoding: parameters, as: UTF8.self)
    self.bytes = Array(bytes)
  }

  /// Signs the given request.
  ///
  /// The signature is nil if a component is missing, an argument cannot be quoted, or `sign` returns
  /// nil.
  ///
  /// - Parameters:
  ///   - message: The request, with all covered fields.
  ///   - components: The names of the components to cover.
  ///   - keyId: The id of the key, without quotes or backslashes.
  ///   - created: The time of the signature, in seconds since 1970.
  ///   - nonce: The nonce, without quotes or backslashes.
  ///   - sign: A function that returns the 64-byte signature of its argument; nil for none.
  /// - Throws: The errors of `sign`.
  public init?(
    _ message: SignedMessage, covering components: [String], keyId: String, created: Int,
    nonce: String, by sign: ([UInt8]) throws(Failure) -> [UInt8]?
  ) throws(Failure) {
    let quoted = keyId.utf8 + Array(nonce.utf8)
    guard quoted.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) else { return nil }
    let names = components.map { "\"\($0)\"" }.joined(separator: " ")
    parameters = "(\(names));created=\(created);nonce=\"\(nonce)\";keyid=\"\(keyId)\""
    self.components = components
    (self.created, self.nonce, self.keyId) = (created, nonce, keyId)
    guard let base = message.base(components, parameters: parameters), let bytes = try sign(base)
    else { return nil }
    self.bytes = bytes
  }

  /// The header fields that express the signature.
  public var fields: [(name: String, value: String)] {
    [
      ("Signature-Input", "sig=\(parameters)"),
      ("Signature", "sig=:\(Data(bytes).base64EncodedString()):"),
    ]
  }

  /// Returns `true` if this is the given key's valid signature of the given request.
  ///
  /// - Throws: As ``DeviceKey/isSignature(_:of:)``.
  public func isBy(_ key: DeviceKey, of message: SignedMessage) throws(Failure) -> Bool {
    guard algorithm.map({ $0 == key.kind.rawValue }) ?? true,
      let base = message.base(components, parameters: parameters)
    else { return false }
    return try key.isSignature(bytes, of: base)
  }
}
