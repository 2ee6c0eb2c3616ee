import Foundation

/// A pump that copies bytes between the channel of a jump host and a socket.
///
/// The session with the next host uses the other end of that socket.
final class JumpPump {
  private let channel: ChannelHandle
  /// Our end of the socket pair; the next session uses the other end.
  private let socket: Int32
  private var toSocket: [UInt8] = []
  private var toChannel: [UInt8] = []
  private var hasEnded = (channel: false, socket: false)
  /// The maximum number of bytes that are buffered in each direction.
  private static let most = 1 << 18

  /// Creates a pump that owns the given channel and socket and closes them when it is destroyed.
  init(channel: consuming ChannelHandle, socket: Int32) {
    self.channel = channel
    self.socket = socket
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(socket) }

  /// The poll(2) request for the socket.
  ///
  /// Its descriptor is negative if no event is awaited.
  var wanted: pollfd {
    let reads = !hasEnded.socket && toChannel.count < Self.most
    let events = (reads ? POLLIN : 0) | (toSocket.isEmpty ? 0 : POLLOUT)
    return pollfd(fd: events == 0 ? -1 : socket, events: Int16(events), revents: 0)
  }

  /// Copies as many bytes as possible in both directions without blocking.
  ///
  /// - Returns: `true` if any bytes were copied.
  func flow() -> Bool {
    let moved = [readChannel(), writeSocket(), readSocket(), writeChannel()]
    return moved.contains(true)
  }

  private func readChannel() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 15)
    var hasMoved = false
    while !hasEnded.channel, toSocket.count < Self.most {
      let count = channel.read(into: &bytes)
      guard count > 0 else {
        hasEnded.channel = count < 0 || channel.isAtEnd
        if hasEnded.channel { hasMoved = true }
        break
      }
      toSocket += bytes[..<count]
      hasMoved = true
    }
    return hasMoved
  }

  private func writeSocket() -> Bool {
    var hasMoved = false
    if !toSocket.isEmpty {
      let count = send(socket, toSocket, toSocket.count, Int32(MSG_NOSIGNAL))
      if count > 0 {
        toSocket.removeFirst(count)
        hasMoved = true
      } else if errno != EAGAIN {
        toSocket = []
        hasEnded.channel = true
      }
    }
    if hasEnded.channel, toSocket.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
    return hasMoved
  }

  private func readSocket() -> Bool {
    guard !hasEnded.socket, toChannel.count < Self.most else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 15)
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN {
        hasEnded.socket = true
        channel.sendEnd()
      }
      return false
    }
    toChannel += bytes[..<count]
    return true
  }

  private func writeChannel() -> Bool {
    let count = channel.write(toChannel)
    toChannel.removeFirst(count)
    return count > 0
  }
}
