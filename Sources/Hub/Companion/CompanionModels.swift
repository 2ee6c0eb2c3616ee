public import Keys
public import Providers

/// What chats are read and gone on with, for companions.
public struct CompanionModels: Sendable {
  /// Where the key of all chats is.
  let keys: KeyStore
  /// Who can be asked.
  let models: ModelAccess

  /// Names both.
  public init(_ models: ModelAccess, keys: KeyStore) { (self.models, self.keys) = (models, keys) }
}
