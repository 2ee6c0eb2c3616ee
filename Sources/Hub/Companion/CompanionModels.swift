public import Keys
public import Providers

/// The models and the key with which companions' chats are read and continued.
public struct CompanionModels: Sendable {
  /// The store of the chats' key.
  let keys: KeyStore
  /// The available models.
  let models: ModelAccess

  /// Creates the pair.
  public init(_ models: ModelAccess, keys: KeyStore) { (self.models, self.keys) = (models, keys) }
}
