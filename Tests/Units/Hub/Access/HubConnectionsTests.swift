import NIOCore
import NIOEmbedded
import Testing

@testable import Hub

/// Connections of a hub that ends.
struct HubConnectionsTests {
  private func connected() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).wait()
    return channel
  }

  @Test func `a silent connection ends with the hub, and one that asks once it is answered`() throws
  {
    let connections = HubConnections(most: 16)
    let (silent, busy) = (try connected(), try connected())
    connections.add(silent)
    connections.add(busy)
    connections.set(busy, isBusy: true)
    connections.end()
    #expect(!silent.isActive)
    #expect(busy.isActive)
    connections.set(busy, isBusy: false)
    #expect(!busy.isActive)
    let late = try connected()
    connections.add(late)
    #expect(!late.isActive)
  }
}
