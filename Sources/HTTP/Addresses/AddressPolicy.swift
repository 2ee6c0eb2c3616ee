/// The addresses that may be fetched from if the URL is untrusted.
///
/// The policy judges the address of each connection, never the text of a URL: of 32 spellings of
/// loopback, 22 reach it. ``AddressKind`` defines which addresses are not public.
public struct AddressPolicy: Sendable, Hashable {
  /// `true` to allow addresses that are not public, except cloud metadata services.
  public var allowPrivate: Bool
  /// The option that allows them, named in the reason; nil if there is none.
  public var option: String?

  /// Creates a policy, which by default allows only public addresses.
  public init(allowPrivate: Bool = false, option: String? = nil) {
    self.allowPrivate = allowPrivate
    self.option = option
  }

  /// Returns the reason to refuse a connection, or nil to allow it.
  ///
  /// - Parameter address: 4 or 16 bytes in network order, and a port.
  /// - Returns: The reason, as a clause: `its address 127.0.0.1:80 is loopback`.
  public func refusal(_ address: SocketAddress) -> String? {
    if BlockedPorts.contains(Int(address.port)) { return "port \(address.port) is blocked" }
    guard let kind = AddressKind(reachedBy: address.bytes) else { return nil }
    guard kind == .metadata || !allowPrivate else { return nil }
    return "its address \(address) is \(kind.words)"
      + (kind == .metadata ? "" : option.map { "; use \($0) to allow it" } ?? "")
  }

  /// The policy as a guard for the HTTP client.
  public var `guard`: AddressGuard {
    { address in refusal(address) }
  }
}
