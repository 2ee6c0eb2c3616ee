import CCurl

/// The one owner of a `CURLM`: the network thread's set of running transfers.
struct MultiHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer

  /// Creates an empty set with curl_multi_init(3), or nil without memory.
  init?() {
    guard let pointer = curl_multi_init() else { return nil }
    self.pointer = pointer
  }

  deinit {
    // Fails only for a handle that is not one, or from within a callback.
    _ = curl_multi_cleanup(pointer)
  }

  /// Starts a transfer with curl_multi_add_handle(3).
  func add(_ transfer: Transfer) -> CURLMcode {
    curl_multi_add_handle(pointer, transfer.handle.pointer)
  }

  /// Stops a transfer, finished or not, with curl_multi_remove_handle(3).
  func remove(_ transfer: Transfer) {
    // Fails only for a handle that is not in the set, which is what removing is for.
    _ = curl_multi_remove_handle(pointer, transfer.handle.pointer)
  }

  /// Reads and writes whatever is ready, with curl_multi_perform(3).
  func perform() -> CURLMcode {
    var running: Int32 = 0
    return curl_multi_perform(pointer, &running)
  }

  /// Waits for traffic, a wake-up or the time, with curl_multi_poll(3).
  func poll(milliseconds: Int32) -> CURLMcode {
    curl_multi_poll(pointer, nil, 0, milliseconds, nil)
  }

  /// The next finished transfer and its result, by curl_multi_info_read(3).
  func nextFinished() -> (Transfer, CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(pointer, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let transfer = Transfer.owner(of: easy)
      else { continue }
      return (transfer, message.pointee.data.result)
    }
    return nil
  }
}
