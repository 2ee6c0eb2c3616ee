import Core

extension Transfer {
  /// Whether a connection to an address may be made; one that may is tried.
  func mayConnect(to address: SocketAddress) -> Bool {
    guard allows(address) else { return false }
    triedAddress = true
    return true
  }

  /// Judges the connection a request is about to use; false ends the transfer.
  ///
  /// One from the pool was opened for another request, whose guard may have been more lenient, and
  /// libcurl sends a request by itself once more where such a one is lost.
  func maySend(to address: String, port: UInt16) -> Bool {
    guard maySend() else { return false }
    guard request.addressGuard != nil else { return true }
    guard let target = SocketAddress(text: address, port: port) else { return false }
    guard !allows(target) else { return true }
    verdict = blockedAddress
    return false
  }

  /// Whether the guard allows the address; its reason is kept otherwise.
  private func allows(_ address: SocketAddress) -> Bool {
    // What the guard would see is the proxy; the target was judged before.
    guard !usesProxy, let reason = request.addressGuard?(address) else { return true }
    refusedAddress = reason
    return false
  }
}
