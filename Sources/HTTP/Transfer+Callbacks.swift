import CCurl
import Core
import Foundation

extension Transfer {
  /// The transfer that a handle belongs to, by CURLINFO_PRIVATE.
  static func owner(of handle: UnsafeMutableRawPointer) -> Transfer? {
    var owner: UnsafeMutableRawPointer?
    guard ccurl_get_pointer(handle, CURLINFO_PRIVATE, &owner) == CURLE_OK, let owner else {
      return nil
    }
    return Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
  }

  /// Whether the guard allows the address; its reason is kept otherwise.
  fileprivate func allows(_ address: SocketAddress) -> Bool {
    // What the guard would see is the proxy; the target was judged before.
    guard !usesProxy, let reason = request.addressGuard?(address) else { return true }
    refusedAddress = reason
    return false
  }
}

// What libcurl calls. Each gets the transfer as the pointer set beside the callback, and runs on the
// network thread within curl_multi_perform or curl_easy_pause.

let receiveHeaderLine: curl_write_callback = { text, size, count, owner in
  guard let owner, let text else { return 0 }
  return text.withMemoryRebound(to: UInt8.self, capacity: size * count) { bytes in
    let line = UnsafeBufferPointer(start: bytes, count: size * count)
    let goesOn = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue().receiveHeader(line)
    return goesOn ? line.count : 0
  }
}

let receiveBodyChunk: curl_write_callback = { text, size, count, owner in
  guard let owner, let text else { return 0 }
  return text.withMemoryRebound(to: UInt8.self, capacity: size * count) { bytes in
    let chunk = UnsafeBufferPointer(start: bytes, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue().receiveBody(chunk)
  }
}

/// Sees the body as it came, before it is decoded; on only for a body that is watched.
let watchEncodedBody: curl_debug_callback = { _, kind, text, count, owner in
  guard let owner, let text, kind == CURLINFO_DATA_IN else { return 0 }
  text.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
    Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
      .encodedBody?.receive(UnsafeBufferPointer(start: bytes, count: count))
  }
  return 0
}

let judgeProgress: curl_xferinfo_callback = { owner, _, downloaded, _, uploaded in
  guard let owner else { return 1 }
  let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
  return transfer.allowsWireBytes(Int(downloaded), sent: Int(uploaded)) ? 0 : 1
}

/// Opens a socket to an address that the guard allows: nothing is sent to any other.
let openJudgedSocket: curl_opensocket_callback = { owner, purpose, address in
  guard let owner, let address, purpose == CURLSOCKTYPE_IPCXN,
    let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
    let target = SocketAddress(
      sockaddr: UnsafeRawPointer(address) + offset, length: Int(address.pointee.addrlen))
  else { return -1 }
  let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
  guard transfer.allows(target) else { return -1 }
  transfer.triedAddress = true
  return openSocket(
    family: address.pointee.family, type: address.pointee.socktype,
    transport: address.pointee.protocol)
}

/// Judges the connection a request is about to use, since one from the pool was opened for another
/// request, whose guard may have been more lenient, and libcurl sends a request by itself once more
/// where such a one is lost.
let judgeConnection: curl_prereq_callback = { owner, address, _, port, _ in
  guard let owner, let address else { return CURL_PREREQFUNC_ABORT }
  let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
  guard transfer.maySend() else { return CURL_PREREQFUNC_ABORT }
  guard transfer.request.addressGuard != nil else { return CURL_PREREQFUNC_OK }
  guard
    let target = SocketAddress(
      text: String(cString: address), port: UInt16(truncatingIfNeeded: port))
  else { return CURL_PREREQFUNC_ABORT }
  guard !transfer.allows(target) else { return CURL_PREREQFUNC_OK }
  transfer.verdict = transfer.blockedAddress
  return CURL_PREREQFUNC_ABORT
}
