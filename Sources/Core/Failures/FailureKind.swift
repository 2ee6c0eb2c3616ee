/// A finer reason within a row of the failure table, in camelCase: the `kind` of an `error` record.
///
/// Each module declares its own kinds in an extension; a provider's error type may be a kind too.
public struct FailureKind: RawRepresentable, Codable, Sendable, Hashable {
  /// The word in records.
  public var rawValue: String

  /// Creates a kind from its word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The connection failed.
  public static let connect = Self(rawValue: "connect")
  /// A file of ours has invalid content.
  public static let corrupt = Self(rawValue: "corrupt")
  /// A C library failed.
  public static let library = Self(rawValue: "library")
  /// A newer version wrote the file.
  public static let newerSchema = Self(rawValue: "newerSchema")
  /// The reader of the output has closed it.
  public static let outputClosed = Self(rawValue: "outputClosed")
  /// The file system is read-only.
  public static let readOnly = Self(rawValue: "readOnly")
  /// The time limit was exceeded.
  public static let timeout = Self(rawValue: "timeout")
  /// The data exceeds the size limit.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// The data arrived too slowly, or the work took too long.
  public static let tooSlow = Self(rawValue: "tooSlow")
  /// Other users can write the file or read its secrets.
  public static let unsafeMode = Self(rawValue: "unsafeMode")
}
