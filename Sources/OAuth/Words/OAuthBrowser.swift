public import Core

/// The browser in which a person logs in.
public enum OAuthBrowser: Sendable {
  /// A browser on this machine, which opens the given page; its redirect arrives by loopback.
  case local(open: @Sendable (_ page: String) -> Void)
  /// A browser anywhere: the page's address is shown, and the address of the redirect is read; nil
  /// if the person gives none.
  case elsewhere(
    show: @Sendable (_ page: String) -> Void, read: @Sendable () async throws(Failure) -> String?)
}
