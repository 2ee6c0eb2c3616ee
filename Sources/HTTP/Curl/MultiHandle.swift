import CCurl

/// The owner of a `CURLM` handle and of the cookies that its transfers share.
///
/// The handle contains the running transfers of the network thread.
struct MultiHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer
  private let cookies: CookieShare?

  /// Creates a handle without transfers (curl_multi_init(3)); nil if there is no memory.
  ///
  /// - Parameter cookies: The initial cookies; nil to use none.
  init?(cookies: [String]?) {
    guard let pointer = curl_multi_init() else { return nil }
    self.pointer = pointer
    self.cookies = cookies.flatMap { CookieShare($0) }
  }

  deinit {
    // This call fails only for an invalid handle, or inside a callback.
    _ = curl_multi_cleanup(pointer)
  }

  /// Starts the given transfer (curl_multi_add_handle(3)).
  func add(_ transfer: Transfer) throws(CurlError) {
    if let code = cookies?.join(transfer.handle), let error = CurlError(code) { throw error }
    guard transfer.handle.withPointer({ curl_multi_add_handle(pointer, $0) }) == CURLM_OK else {
      throw .noMemory
    }
  }

  /// Removes the given transfer, whether or not it is finished (curl_multi_remove_handle(3)).
  func remove(_ transfer: Transfer) {
    // This call fails only if the transfer was not added, which is the intended state.
    _ = transfer.handle.withPointer { curl_multi_remove_handle(pointer, $0) }
  }

  /// Reads from and writes to all ready connections (curl_multi_perform(3)).
  func perform() -> CurlError? {
    var running: Int32 = 0
    return CurlError(curl_multi_perform(pointer, &running))
  }

  /// Waits for traffic or a wake-up for at most the given time (curl_multi_poll(3)).
  func poll(milliseconds: Int32) -> CurlError? {
    CurlError(curl_multi_poll(pointer, nil, 0, milliseconds, nil))
  }

  /// Returns the next finished transfer, with its error if it failed (curl_multi_info_read(3)).
  func nextFinished() -> (Transfer, CurlError?)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(pointer, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let transfer = EasyHandle.transfer(of: easy)
      else { continue }
      return (transfer, CurlError(message.pointee.data.result))
    }
    return nil
  }

  /// The current cookies, as lines of a Netscape cookie file.
  var cookieLines: [String] { cookies?.lines ?? [] }

  /// A waker that any thread can use to end ``poll(milliseconds:)``.
  ///
  /// It is valid as long as the multi handle.
  struct Waker: Sendable {
    /// The handle's address as a number, because pointers are not `Sendable`.
    fileprivate let address: UInt

    /// Ends the current or the next ``poll(milliseconds:)`` (curl_multi_wakeup(3)).
    ///
    /// Other functions that use a multi handle may be called only on the network thread.
    func wake() {
      guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
      // This call fails only if its pipe is full, and then the thread is about to wake already.
      _ = curl_multi_wakeup(multi)
    }
  }

  /// A waker for the network thread.
  var waker: Waker { Waker(address: UInt(bitPattern: pointer)) }
}

/// The owner of the cookies that a client's transfers share.
///
/// It is a class because a noncopyable value cannot lend out a part of itself.
private final class CookieShare {
  private let pointer: UnsafeMutableRawPointer
  /// An easy handle that is used only to get and set the cookies.
  private let handle: UnsafeMutableRawPointer

  /// Creates a share with the given cookies (curl_share_init(3)); nil if there is no memory.
  ///
  /// - Parameter lines: Lines of a Netscape cookie file. libcurl skips invalid lines.
  init?(_ lines: [String]) {
    let share = curl_share_init()
    let easy = curl_easy_init()
    guard let share, let easy, ccurl_share_cookies(share) == CURLSHE_OK,
      ccurl_set_pointer(easy, CURLOPT_SHARE, share) == CURLE_OK
    else {
      curl_easy_cleanup(easy)
      // This call fails only while a handle uses the share.
      _ = curl_share_cleanup(share)
      return nil
    }
    pointer = share
    handle = easy
    for line in lines {
      // If libcurl rejects a line, only the cookie on it is not sent.
      _ = ccurl_set_string(handle, CURLOPT_COOKIELIST, line)
    }
  }

  deinit {
    curl_easy_cleanup(handle)
    // This call fails only while a handle uses the share, and all transfers are freed by now.
    _ = curl_share_cleanup(pointer)
  }

  /// Adds the given transfer to the share (CURLOPT_SHARE).
  ///
  /// An empty cookie file name enables the transfer's cookies.
  func join(_ transfer: borrowing EasyHandle) -> CURLcode {
    transfer.withPointer { easy in
      let code = ccurl_set_pointer(easy, CURLOPT_SHARE, pointer)
      return code == CURLE_OK ? ccurl_set_string(easy, CURLOPT_COOKIEFILE, "") : code
    }
  }

  /// The cookies as lines of a Netscape cookie file (CURLINFO_COOKIELIST).
  var lines: [String] {
    var list: UnsafeMutablePointer<curl_slist>?
    guard ccurl_get_list(handle, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
    defer { curl_slist_free_all(list) }
    var lines: [String] = []
    var next = list
    while let entry = next {
      if let data = entry.pointee.data { lines.append(String(cString: data)) }
      next = entry.pointee.next
    }
    return lines
  }
}
