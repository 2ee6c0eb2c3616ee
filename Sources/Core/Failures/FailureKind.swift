/// The `kind` of an `error` record: a more detailed reason than the code, in camelCase.
///
/// Each module declares its own kinds in an extension; a provider's error type may be a kind too.
public struct FailureKind: RawRepresentable, Codable, Sendable, Hashable {
  /// The name that records give the kind.
  public var rawValue: String

  /// Creates a kind from the name that records give it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A failed connection.
  public static let connect = Self(rawValue: "connect")
  /// One of the project's own files that has invalid content.
  public static let corrupt = Self(rawValue: "corrupt")
  /// A command that was ended because it printed nothing for too long.
  public static let idle = Self(rawValue: "idle")
  /// A failure of a C library.
  public static let library = Self(rawValue: "library")
  /// A file that a newer version wrote.
  public static let newerSchema = Self(rawValue: "newerSchema")
  /// An output that its reader has closed.
  public static let outputClosed = Self(rawValue: "outputClosed")
  /// A path that cannot be written.
  public static let readOnly = Self(rawValue: "readOnly")
  /// An exceeded time limit.
  public static let timeout = Self(rawValue: "timeout")
  /// Data over the size limit.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// Data that arrived too slowly, or work that took too long.
  public static let tooSlow = Self(rawValue: "tooSlow")
  /// A command that was ended because it ran for too long.
  public static let total = Self(rawValue: "total")
  /// A file that other users can write, or a file of secrets that they can read.
  public static let unsafeMode = Self(rawValue: "unsafeMode")
  /// A state that was not reached within the time limit of a wait.
  public static let wait = Self(rawValue: "wait")
}
