import Core

extension Transfer {
  /// Returns `true` if the guard allows an address, and records that it is tried.
  func mayConnect(to address: SocketAddress) -> Bool {
    guard allows(address) else { return false }
    triedAddress = true
    return true
  }

  /// Judges the connection that a request is about to use; `false` ends the transfer.
  ///
  /// A pooled connection was opened for another request, whose guard may have been more lenient. If
  /// such a connection is lost, libcurl sends the request again by itself.
  func maySend(to address: String, port: UInt16) -> Bool {
    guard maySend() else { return false }
    guard request.addressGuard != nil else { return true }
    guard let target = SocketAddress(text: address, port: port) else { return false }
    guard !allows(target) else { return true }
    verdict = blockedAddress
    return false
  }

  /// Returns `true` if the guard allows the address, and stores its reason otherwise.
  private func allows(_ address: SocketAddress) -> Bool {
    // With a proxy, the guard would see the proxy's address; the target was judged before.
    guard !usesProxy, let reason = request.addressGuard?(address) else { return true }
    refusedAddress = reason
    return false
  }
}
