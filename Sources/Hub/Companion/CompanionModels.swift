public import Keys
public import Providers

/// The models and the key store that a hub uses for the chats of companions.
public struct CompanionModels: Sendable {
  /// The key store.
  ///
  /// It holds the key of the chats.
  let keys: KeyStore
  /// The available models.
  let models: ModelAccess

  /// Combines the models and the key store.
  public init(_ models: ModelAccess, keys: KeyStore) { (self.models, self.keys) = (models, keys) }
}
