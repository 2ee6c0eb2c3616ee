import CCurl

/// The one owner of a `CURLM`: the network thread's set of running transfers, and the cookies that
/// they share.
struct MultiHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer
  private let cookies: CookieShare?

  /// Creates an empty set with curl_multi_init(3), or nil without memory.
  ///
  /// - Parameter cookies: Those to begin with; nil keeps none.
  init?(cookies: [String]?) {
    guard let pointer = curl_multi_init() else { return nil }
    self.pointer = pointer
    self.cookies = cookies.flatMap { CookieShare($0) }
  }

  deinit {
    // Fails only for a handle that is not one, or from within a callback.
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
    // Fails only for a handle that is not in the set, which is what removing is for.
    _ = transfer.handle.withPointer { curl_multi_remove_handle(pointer, $0) }
  }

  /// Reads and writes whatever is ready, with curl_multi_perform(3).
  func perform() -> CurlError? {
    var running: Int32 = 0
    return CurlError(curl_multi_perform(pointer, &running))
  }

  /// Waits for traffic, a wake-up or the time, with curl_multi_poll(3).
  func poll(milliseconds: Int32) -> CurlError? {
    CurlError(curl_multi_poll(pointer, nil, 0, milliseconds, nil))
  }

  /// The next finished transfer and what went wrong with it, by curl_multi_info_read(3).
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

  /// The cookies that are kept now, as lines of a Netscape cookie file.
  var cookieLines: [String] { cookies?.lines ?? [] }

  /// Ends the wait of a set from any thread, for as long as the set lives.
  struct Waker: Sendable {
    /// An address, since pointers do not cross threads.
    fileprivate let address: UInt

    /// Ends the thread's wait, now or when it next begins, with curl_multi_wakeup(3), the one call of a
    /// multi handle that any thread may make.
    func wake() {
      guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
      // Fails only when its pipe is full, and then the thread is being woken already.
      _ = curl_multi_wakeup(multi)
    }
  }

  /// What wakes the network thread.
  var waker: Waker { Waker(address: UInt(bitPattern: pointer)) }
}

/// The one owner of the cookies that a client's transfers share, on its network thread; a class, since a
/// set that is one value cannot lend out a part of itself.
private final class CookieShare {
  private let pointer: UnsafeMutableRawPointer
  /// A handle that makes no transfer: through it cookies come in and out.
  private let handle: UnsafeMutableRawPointer

  /// Creates a share with curl_share_init(3) and puts cookies in; nil without memory.
  ///
  /// - Parameter lines: Lines of a Netscape cookie file; what is none is passed over, by libcurl.
  init?(_ lines: [String]) {
    let share = curl_share_init()
    let easy = curl_easy_init()
    guard let share, let easy, ccurl_share_cookies(share) == CURLSHE_OK,
      ccurl_set_pointer(easy, CURLOPT_SHARE, share) == CURLE_OK
    else {
      curl_easy_cleanup(easy)
      // Fails only while a handle uses it.
      _ = curl_share_cleanup(share)
      return nil
    }
    pointer = share
    handle = easy
    for line in lines {
      // A line that cannot be taken is a cookie that is not sent.
      _ = ccurl_set_string(handle, CURLOPT_COOKIELIST, line)
    }
  }

  deinit {
    curl_easy_cleanup(handle)
    // Fails only while a handle uses it; the transfers are gone by now.
    _ = curl_share_cleanup(pointer)
  }

  /// Lets a transfer take part, with CURLOPT_SHARE; naming no file is what turns its cookies on.
  func join(_ transfer: borrowing EasyHandle) -> CURLcode {
    transfer.withPointer { easy in
      let code = ccurl_set_pointer(easy, CURLOPT_SHARE, pointer)
      return code == CURLE_OK ? ccurl_set_string(easy, CURLOPT_COOKIEFILE, "") : code
    }
  }

  /// Every cookie, as curl_easy_getinfo(3) lists it with CURLINFO_COOKIELIST.
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
