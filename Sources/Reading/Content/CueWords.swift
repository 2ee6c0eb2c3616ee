/// Words that pages use alike, sorted into groups; a group is a bit of a mask.
struct CueWords: Sendable {
  private let groups: NameTable<UInt32>

  /// Creates a table; a group's place in the list is the number of its bit.
  init(_ lists: [String]) {
    var entries: [(key: UInt64, value: UInt32)] = []
    for (bit, list) in lists.enumerated() {
      for word in list.utf8.split(separator: 0x20) {
        entries.append((NameHash.of(word), 1 << UInt32(bit)))
      }
    }
    groups = NameTable(entries) { $0 | $1 }
  }

  /// The groups of a lower-case word, by its hash.
  @inline(__always)
  subscript(hash: UInt64) -> UInt32 { groups[hash] ?? 0 }

  /// The groups of the words that a class, an id or a role is made of: `postBody`, `post-body` and
  /// `post_body` are two words each.
  func cues(inName bytes: ArraySlice<UInt8>) -> UInt32 {
    var cues: UInt32 = 0
    var hash = NameHash()
    var length = 0
    var wasSmall = false
    for byte in bytes {
      let isCapital = byte &- 0x41 < 26
      if length > 0, !isLetter(byte) || isCapital && wasSmall {
        if length > 1 { cues |= self[hash.value] }
        hash = NameHash()
        length = 0
      }
      if isLetter(byte) {
        hash.add(byte | 0x20)
        length += 1
      }
      wasSmall = isLetter(byte) && !isCapital
    }
    return length > 1 ? cues | self[hash.value] : cues
  }
}

extension CueWords {
  /// How many groups ``names`` has.
  static let nameGroups = 25
  /// How many groups ``phrases`` has.
  static let phraseGroups = 16

  /// Of ``phrases``, the group of questions about cookies, and the one about scripts.
  static let consent: UInt32 = 1 << 0
  static let script: UInt32 = 1 << 16

  /// What the authors of pages call the parts of them.
  static let names = CueWords([
    """
    content entry post article story text main copy prose richtext wysiwyg markdown articlebody \
    postcontent entrycontent maincontent description desc paragraph editorial bodytext rte
    """,
    "comment comments disqus reply replies respond discussion commentlist",
    "sidebar side rail aside widget widgets secondary complementary sidenav",
    """
    related recommend recommended recommendations recommendation more similar trending popular \
    latest also upnext suggested suggestions next previous prev recirc recent carousel slider \
    slick swiper featured further
    """,
    "share sharing social follow facebook twitter addthis sharedaddy socials sharer",
    """
    nav navigation menu navbar breadcrumb breadcrumbs crumb crumbs pagination pager toolbar \
    megamenu dropdown submenu navi
    """,
    "footer foot copyright legal colophon disclaimer contentinfo bottom",
    "header masthead banner topbar hero head jumbotron top",
    """
    ad ads advert advertisement sponsor sponsored promo promotion promotions dfp adsense taboola \
    outbrain promoted advertising adslot
    """,
    "newsletter subscribe subscription signup optin mailing cta mailchimp hubspot download",
    """
    cookie cookies consent gdpr modal popup overlay lightbox onetrust toast notice alert notification \
    ccpa privacy interstitial paywall
    """,
    "author byline meta date time tag tags category categories posted published bio avatar info",
    "product products price prices cart sku variant variants buy shop shipping quantity swatch",
    "review reviews rating ratings stars star testimonial testimonials",
    "caption credit credits photo image gallery media video figcaption picture embed",
    "hidden sr visually screenreader offscreen skip noprint print invisible assistive",
    "login signin account user profile register auth search searchbox",
    "card cards item items tile tiles teaser teasers grid list listing result results thumb",
    "title headline heading subtitle dek lede summary excerpt intro standfirst abstract",
    "thread topic message messages forum question answer answers votes postbody messagebody",
    "faq faqs accordion tab tabs panel collapse toggle tabpanel",
    "doc docs documentation api reference code highlight wiki toc tutorial",
    "feedback helpful edit report tooltip actions action button buttons btn tools",
    "filter filters sort facet facets refine select option options",
    "spec specs specification specifications feature features details attributes ingredients",
  ])

  /// How many groups ``kinds`` has.
  static let kindGroups = 12

  /// The types of schema.org (with an `s` before them) and of Open Graph (with `og`) that tell kinds
  /// of pages apart.
  static let kinds = CueWords([
    "sarticle snewsarticle sreport sscholarlyarticle sopinionnewsarticle sreviewnewsarticle",
    "sblogposting sblog sliveblogposting",
    "sproduct sproductgroup sindividualproduct",
    "soffer saggregateoffer saggregaterating",
    "sdiscussionforumposting sqapage squestion sanswer scomment sinteractioncounter",
    "sitemlist scollectionpage soffercatalog ssearchresultspage slistitem",
    "sfaqpage showto srecipe scourse",
    "stecharticle sapireference ssoftwaresourcecode sdefinedterm",
    "sservice slocalbusiness sprofessionalservice sfinancialservice smedicalbusiness",
    "ogarticle ogblog ogbook",
    "ogproduct ogproduct.item ogproduct.group ogog:product",
    "ogwebsite ogbusiness ogcompany",
  ])

  /// What short texts that are no content say, by single words.
  static let phrases = CueWords([
    "cookie cookies consent gdpr",
    "subscribe newsletter newsletters inbox unsubscribe updates",
    "login signin register account password join sign",
    "copyright reserved © inc llc ltd trademark",
    "share tweet facebook twitter pinterest linkedin whatsapp instagram email print youtube",
    "related recommended similar trending popular latest recent more",
    "comment comments reply replies respond responses",
    "advertisement advert sponsored ad ads promoted affiliate",
    "price cart buy shipping checkout sale add quantity sku stock wishlist",
    "posted published updated by author written minutes min ago",
    """
    january february march april may june july august september october november december jan feb \
    mar apr jun jul aug sep sept oct nov dec
    """,
    "privacy terms policy conditions disclaimer legal",
    "next previous prev page back older newer",
    "menu home contact about search skip navigation careers",
    "download app click here learn read view see",
    "review reviews rating ratings stars votes helpful",
    // Past the groups that are features.
    "javascript",
  ])

  /// The commonest small words of English, German, French and Spanish prose.
  static let common = CueWords([
    """
    the of and to in is that for it with as was on are be this by from at or an have not but you \
    we they which can will has their its our your der die das und ist nicht mit ein eine den von zu \
    le la les des et est une un dans pour que qui pas de en el los las una por con para del
    """
  ])
}
