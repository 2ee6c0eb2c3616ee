public import Core
import Foundation

/// Where the hub of this machine listens: it writes so itself, beside its operator's token.
public struct OwnHub: Codable, Sendable, Hashable {
  /// Its URL; one that listens on all addresses is named by loopback's.
  public var url: String
  /// The SHA-256 of its public key (SubjectPublicKeyInfo) in base64, where it speaks TLS.
  public var tlsKey: String?

  /// Where a hub that says nothing else is.
  public static let usual = OwnHub(listening: "http://127.0.0.1:7878", tlsKey: nil)

  /// A hub that listens.
  ///
  /// - Parameters:
  ///   - url: Where it listens, such as `http://0.0.0.0:7878`.
  ///   - tlsKey: Its public key's digest.
  public init(listening url: String, tlsKey: String?) {
    self.url = url.replacing("//0.0.0.0:", with: "//127.0.0.1:")
      .replacing("//[::]:", with: "//[::1]:")
    self.tlsKey = tlsKey
  }

  /// The one that was last written; nil where none ever was.
  ///
  /// - Throws: `PermissionDenied` where others may write the file, `StorageFailed`.
  public static func existing(in directories: Directories) throws(Failure) -> OwnHub? {
    let path = path(directories)
    guard let bytes = try PrivateFile.read(path) else { return nil }
    do {
      return try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch {
      throw Failure(.storageFailed, "'\(path)' does not name a hub", kind: .corrupt, input: path)
    }
  }

  /// Writes it, in place of what was there.
  ///
  /// - Throws: `StorageFailed`.
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

  private static func path(_ directories: Directories) -> String { directories.data + "/hub.json" }
}
