import Core

extension Page {
  /// The page without secrets that this process knows: a server may echo the fields of a request.
  var withoutSecrets: Page {
    var page = self
    page.contentType = contentType.map(Secrets.redacted)
    page.title = title.map(Secrets.redacted)
    page.author = author.map(Secrets.redacted)
    page.siteName = siteName.map(Secrets.redacted)
    page.canonicalURL = canonicalURL.map(Secrets.redacted)
    page.description = description.map(Secrets.redacted)
    page.markdown = markdown.map(Secrets.redacted)
    page.links = links?.map { link in
      PageLink(url: Secrets.redacted(link.url), text: Secrets.redacted(link.text))
    }
    guard let text else { return page }
    let shown = Secrets.redacted(text)
    guard shown != text else { return page }
    page.text = shown
    page.characters = shown.unicodeScalars.count
    return page
  }
}
