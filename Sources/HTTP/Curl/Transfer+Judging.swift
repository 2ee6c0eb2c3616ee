import Core

extension Transfer {
  /// Returns `true` if the guard allows a connection to the given address.
  ///
  /// The attempt is recorded.
  func mayConnect(to address: SocketAddress) -> Bool {
    guard allows(address) else { return false }
    triedAddress = true
    return true
  }

  /// Returns `true` if the guard allows the request to use a connection to the given address.
  ///
  /// If it returns `false`, the transfer ends. A pooled connection was opened for another request,
  /// whose guard may have allowed more addresses. If a pooled connection is lost, libcurl itself
  /// sends the request again.
  func maySend(to address: String, port: UInt16) -> Bool {
    guard maySend() else { return false }
    guard request.addressGuard != nil else { return true }
    guard let target = SocketAddress(text: address, port: port) else { return false }
    guard !allows(target) else { return true }
    verdict = blockedAddress
    return false
  }

  /// Returns `true` if the guard allows the given address.
  ///
  /// Otherwise, the guard's reason is stored.
  private func allows(_ address: SocketAddress) -> Bool {
    // With a proxy, the guard would get the proxy's address; the target was judged before.
    guard !usesProxy, let reason = request.addressGuard?(address) else { return true }
    refusedAddress = reason
    return false
  }
}
