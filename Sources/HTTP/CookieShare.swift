import CCurl

/// The one owner of the cookies that a client's transfers share, on its network thread; a class, since a
/// runner that is one value cannot lend out a part of itself.
final class CookieShare {
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
  func join(_ transfer: UnsafeMutableRawPointer) -> CURLcode {
    let code = ccurl_set_pointer(transfer, CURLOPT_SHARE, pointer)
    return code == CURLE_OK ? ccurl_set_string(transfer, CURLOPT_COOKIEFILE, "") : code
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
