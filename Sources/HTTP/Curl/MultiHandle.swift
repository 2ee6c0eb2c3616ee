import CCurl

/// The owner of a `CURLM`: the running transfers of the network thread, and their shared cookies.
struct MultiHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer
  private let cookies: CookieShare?

  /// Creates an empty set with curl_multi_init(3), or nil if there is no memory.
  ///
  /// - Parameter cookies: The initial cookies; nil to use none.
  init?(cookies: [String]?) {
    guard let pointer = curl_multi_init() else { return nil }
    self.pointer = pointer
    self.cookies = cookies.flatMap { CookieShare($0) }
  }

  deinit {
    // This fails only for an invalid handle, or inside a callback.
    _ = curl_multi_cleanup(pointer)
  }

  /// Starts a transfer with curl_multi_add_handle(3).
  func add(_ transfer: Transfer) throws(CurlError) {
    if let code = cookies?.join(transfer.handle), let error = CurlError(code) { throw error }
    guard transfer.handle.withPointer({ curl_multi_add_handle(pointer, $0) }) == CURLM_OK else {
      throw .noMemory
    }
  }

  /// Stops a transfer, finished or not, with curl_multi_remove_handle(3).
  func remove(_ transfer: Transfer) {
    // This fails only for a handle outside of the set, which is the intended result.
    _ = transfer.handle.withPointer { curl_multi_remove_handle(pointer, $0) }
  }

  /// Reads and writes on all ready connections, with curl_multi_perform(3).
  func perform() -> CurlError? {
    var running: Int32 = 0
    return CurlError(curl_multi_perform(pointer, &running))
  }

  /// Waits for traffic, a wake-up or a timeout, with curl_multi_poll(3).
  func poll(milliseconds: Int32) -> CurlError? {
    CurlError(curl_multi_poll(pointer, nil, 0, milliseconds, nil))
  }

  /// Returns the next finished transfer and its error, by curl_multi_info_read(3).
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

  /// A waker that ends the wait of a set from any thread, as long as the set lives.
  struct Waker: Sendable {
    /// The address of the handle, since pointers are not sendable.
    fileprivate let address: UInt

    /// Ends the thread's present or next wait, with curl_multi_wakeup(3), the only call of a multi
    /// handle that is safe on any thread.
    func wake() {
      guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
      // This fails only if its pipe is full, and then the thread is about to wake already.
      _ = curl_multi_wakeup(multi)
    }
  }

  /// The waker of the network thread.
  var waker: Waker { Waker(address: UInt(bitPattern: pointer)) }
}

/// The owner of the cookies that a client's transfers share on its network thread.
///
/// A class, since a noncopyable value cannot lend out a part of itself.
private final class CookieShare {
  private let pointer: UnsafeMutableRawPointer
  /// A handle without a transfer, which gets and sets the cookies.
  private let handle: UnsafeMutableRawPointer

  /// Creates a share with curl_share_init(3) and initial cookies; nil if there is no memory.
  ///
  /// - Parameter lines: Lines of a Netscape cookie file; libcurl skips invalid ones.
  init?(_ lines: [String]) {
    let share = curl_share_init()
    let easy = curl_easy_init()
    guard let share, let easy, ccurl_share_cookies(share) == CURLSHE_OK,
      ccurl_set_pointer(easy, CURLOPT_SHARE, share) == CURLE_OK
    else {
      curl_easy_cleanup(easy)
      // This fails only while a handle uses the share.
      _ = curl_share_cleanup(share)
      return nil
    }
    pointer = share
    handle = easy
    for line in lines {
      // A rejected line only means that its cookie is not sent.
      _ = ccurl_set_string(handle, CURLOPT_COOKIELIST, line)
    }
  }

  deinit {
    curl_easy_cleanup(handle)
    // This fails only while a handle uses the share, and all transfers are gone by now.
    _ = curl_share_cleanup(pointer)
  }

  /// Adds a transfer with CURLOPT_SHARE; an empty file name enables its cookies.
  func join(_ transfer: borrowing EasyHandle) -> CURLcode {
    transfer.withPointer { easy in
      let code = ccurl_set_pointer(easy, CURLOPT_SHARE, pointer)
      return code == CURLE_OK ? ccurl_set_string(easy, CURLOPT_COOKIEFILE, "") : code
    }
  }

  /// The cookies, as curl_easy_getinfo(3) lists them with CURLINFO_COOKIELIST.
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
