public import Core
import Foundation

/// The address of this machine's hub, which the hub writes to a file beside its operator's token.
public struct OwnHub: Codable, Sendable, Hashable {
  /// The hub's URL.
  ///
  /// If the hub listens on all addresses, it is a loopback URL.
  public var url: String
  /// The SHA-256 of the hub's public key (SubjectPublicKeyInfo) in base64; nil without TLS.
  public var tlsKey: String?

  /// Returns `true` if the given URL names the address on which the hub listens.
  ///
  /// Programs of other users may listen on another address or port of this machine.
  public func isAt(_ url: String) -> Bool {
    guard let own = WebOrigin(ofURL: self.url), let asked = WebOrigin(ofURL: url) else {
      return false
    }
    let isNamed = asked.host.host == "localhost" && own.host.host == "127.0.0.1"
    return own == asked
      || isNamed && own.scheme == asked.scheme && own.host.port == asked.host.port
  }

  /// The path, within the folder of states, of the lock that a hub holds while it serves.
  public static let lockName = "hubs/serve-1.lock"

  /// Returns `true` if a hub serves from the given directories.
  public static func isServing(_ directories: Directories) -> Bool {
    FileLock.isHeld("\(directories.state)/\(lockName)")
  }

  /// The address of a hub with default settings.
  public static let usual = OwnHub(listening: "http://127.0.0.1:7878", tlsKey: nil)

  /// Creates the address of a listening hub.
  ///
  /// - Parameters:
  ///   - url: The URL on which the hub listens, such as `http://0.0.0.0:7878`.
  ///   - tlsKey: The digest of the hub's public key; nil without TLS.
  public init(listening url: String, tlsKey: String?) {
    self.url = url.replacing("//0.0.0.0:", with: "//127.0.0.1:")
      .replacing("//[::]:", with: "//[::1]:")
    self.tlsKey = tlsKey
  }

  /// Returns the address that a hub last wrote; nil if none was ever written.
  ///
  /// - Throws: `PermissionDenied` if others may read or write the file; `StorageFailed` if the file
  ///   cannot be read or is invalid.
  public static func existing(in directories: Directories) throws(Failure) -> OwnHub? {
    let path = path(directories)
    guard let bytes = try PrivateFile.read(path) else { return nil }
    do {
      return try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch {
      throw Failure(.storageFailed, "'\(path)' does not name a hub", kind: .corrupt, input: path)
    }
  }

  /// Writes the address, replacing the previous one.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written.
  public func write(in directories: Directories) throws(Failure) {
    let path = Self.path(directories)
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try PrivateFile.write(Array(try encoder.encode(self)) + [0x0A], to: path)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.storageFailed, "cannot write '\(path)'", input: path)
    }
  }

  /// Returns an id of the hub with the given directories, which no other hub has.
  ///
  /// It is derived from the operator's token, which is created if there is none.
  ///
  /// - Throws: As `OwnerToken.made`.
  public static func id(in directories: Directories) throws(Failure) -> String {
    let token = try OwnerToken.made(in: directories)
    return String(SHA256Digest.hexadecimal(Array("hub \(token)".utf8)).prefix(16))
  }

  private static func path(_ directories: Directories) -> String { directories.data + "/hub.json" }
}
