/// A finer reason within a row of the failure table, in camelCase: the `kind` of an `error` record.
///
/// Each room names its own in an extension; a provider's own word may be one too.
public struct FailureKind: RawRepresentable, Codable, Sendable, Hashable {
  /// The word in records.
  public var rawValue: String

  /// The kind of a word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No connection came about.
  public static let connect = Self(rawValue: "connect")
  /// A file of ours does not hold what was written to it.
  public static let corrupt = Self(rawValue: "corrupt")
  /// A C library could not do its work.
  public static let library = Self(rawValue: "library")
  /// A newer version wrote the file.
  public static let newerSchema = Self(rawValue: "newerSchema")
  /// Whoever read the output is gone.
  public static let outputClosed = Self(rawValue: "outputClosed")
  /// The place cannot be written to.
  public static let readOnly = Self(rawValue: "readOnly")
  /// It took too long.
  public static let timeout = Self(rawValue: "timeout")
  /// There is more than is read.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// Too little came for too long, or the work took too long.
  public static let tooSlow = Self(rawValue: "tooSlow")
  /// Others could write the file, or read its secrets.
  public static let unsafeMode = Self(rawValue: "unsafeMode")
}
