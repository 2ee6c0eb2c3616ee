/// The addresses that something may be fetched from where somebody else chose its URL.
///
/// Judged is the address a connection is about to be made to, never the text of a URL: of 32
/// spellings of loopback, 22 reach it. ``AddressKind`` says which addresses are not public.
public struct AddressPolicy: Sendable, Hashable {
  /// Whether addresses that are not public may be fetched from; those of cloud metadata services
  /// stay refused.
  public var allowPrivate: Bool
  /// The option that allows them, for the reason; nil if there is none.
  public var option: String?

  /// Creates a policy that refuses what is not public, unless told otherwise.
  public init(allowPrivate: Bool = false, option: String? = nil) {
    self.allowPrivate = allowPrivate
    self.option = option
  }

  /// Why a connection must not be made, or nil to allow it.
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

  /// The policy in the form that the HTTP client asks in.
  public var `guard`: AddressGuard {
    { address in refusal(address) }
  }
}
