/// A policy for the addresses that an untrusted URL may lead to.
///
/// The policy judges the address of each connection, not the text of a URL, because an address can
/// be spelled in many ways. ``AddressKind`` defines which addresses are not public.
public struct AddressPolicy: Sendable, Hashable {
  /// `true` to allow addresses that are not public, except cloud metadata services.
  public var allowPrivate: Bool
  /// The command-line option that allows these addresses; nil if there is none.
  ///
  /// A refusal names this option.
  public var option: String?

  /// Creates a policy.
  ///
  /// By default, it allows only public addresses.
  public init(allowPrivate: Bool = false, option: String? = nil) {
    self.allowPrivate = allowPrivate
    self.option = option
  }

  /// Returns the reason to refuse a connection to the given address; nil to allow it.
  ///
  /// - Parameter address: The address and port of the connection.
  /// - Returns: The reason as a clause, such as `its address 127.0.0.1:80 is loopback`.
  public func refusal(_ address: SocketAddress) -> String? {
    if BlockedPorts.contains(Int(address.port)) { return "port \(address.port) is blocked" }
    guard let kind = AddressKind(reachedBy: address.bytes) else { return nil }
    guard kind == .metadata || !allowPrivate else { return nil }
    return "its address \(address) is \(kind.words)"
      + (kind == .metadata ? "" : option.map { "; use \($0) to allow it" } ?? "")
  }

  /// The policy as a guard that the HTTP client accepts.
  public var `guard`: AddressGuard {
    { address in refusal(address) }
  }
}
