import Core
import HTTPTypes
import Pages

/// The answers with the page's views and files.
///
/// Their header fields keep other sites, and markup that is not ours, from acting in the page.
enum PageAnswer {
  /// The rules for what a view may load and do (Content Security Policy 3, Trusted Types).
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "worker-src 'self'", "manifest-src 'self'",
    "style-src 'self'", "img-src 'self'", "connect-src 'self'", "form-action 'self'",
    "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types page",
  ].joined(separator: "; ")

  /// Returns the answer with the given view.
  static func of(_ view: PageFrame, status: HTTPResponse.Status = .ok) -> HubAnswer {
    guarded(HubAnswer(view.bytes, contentType: "text/html; charset=utf-8", status: status))
  }

  /// Returns the answer with the given file.
  static func of(_ asset: PageAsset) -> HubAnswer {
    guarded(HubAnswer(asset.bytes, contentType: asset.mediaType))
  }

  /// Returns the answer with the view of the given failure.
  static func of(_ failure: Failure, isSignedIn: Bool) -> HubAnswer {
    let answer = HubAnswer(failure)
    var page = of(PageFrame.failure(failure, isSignedIn: isSignedIn), status: answer.status)
    page.fields += answer.fields.filter { $0.name != .wwwAuthenticate }
    return page
  }

  /// Returns the answer that makes the browser open the given view by GET.
  static func seeing(_ address: HTMLAddress) -> HubAnswer {
    var answer = guarded(HubAnswer([], contentType: "text/plain", status: .seeOther))
    answer.fields.append((.location, address.text))
    return answer
  }

  /// Returns the given answer with the header fields of the page.
  static func guarded(_ answer: HubAnswer) -> HubAnswer {
    var answer = answer
    answer.fields += [
      (.contentSecurityPolicy, policy), (.xContentTypeOptions, "nosniff"),
      (.referrerPolicy, "same-origin"), (.openerPolicy, "same-origin"),
      (.resourcePolicy, "same-origin"),
    ]
    return answer
  }
}

extension HTTPField.Name {
  /// The field that limits the `Referer` of later requests (Referrer Policy, W3C).
  ///
  /// With `no-referrer`, browsers would send forms with `Origin: null`.
  fileprivate static let referrerPolicy = Self("Referrer-Policy") ?? .vary
  /// The field that separates the page from pages that open it (HTML, section 7.1.3).
  fileprivate static let openerPolicy = Self("Cross-Origin-Opener-Policy") ?? .vary
  /// The field that keeps other origins from loading an answer (Fetch, section 3.7).
  fileprivate static let resourcePolicy = Self("Cross-Origin-Resource-Policy") ?? .vary
}
