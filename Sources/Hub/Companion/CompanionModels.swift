public import Chats
public import Core
public import Keys
public import Providers

/// The models, the tools and the key store that a hub uses for the chats of companions.
public struct CompanionModels: Sendable {
  /// A function that does some work with the tools that a companion asks for, those that the
  /// configuration names; nil if there are none.
  public typealias Offering =
    @Sendable (
      _ requested: [String], _ work: @Sendable (ChatTools?) async throws(Failure) -> Void
    ) async throws(Failure) -> Void

  /// The key store.
  ///
  /// It holds the key of the chats.
  let keys: KeyStore
  /// The available models.
  let models: ModelAccess
  /// Offers tools; nil if the hub has none.
  let offering: Offering?

  /// Combines the models, the key store and the tools.
  public init(_ models: ModelAccess, keys: KeyStore, offering: Offering? = nil) {
    (self.models, self.keys, self.offering) = (models, keys, offering)
  }
}
