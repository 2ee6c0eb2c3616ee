public import Keys
public import Providers

/// The models and the key store with which a hub reads and continues chats for companions.
public struct CompanionModels: Sendable {
  /// The key store, which holds the chats' key.
  let keys: KeyStore
  /// The available models.
  let models: ModelAccess

  /// Combines the models and the key store.
  public init(_ models: ModelAccess, keys: KeyStore) { (self.models, self.keys) = (models, keys) }
}
