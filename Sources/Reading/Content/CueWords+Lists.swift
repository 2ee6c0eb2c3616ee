extension CueWords {
  /// The number of groups in ``names``.
  static let nameGroups = 28
  /// The number of groups in ``phrases``.
  static let phraseGroups = 22

  /// The number of groups in ``addresses``.
  static let addressGroups = 16

  /// The bits of those groups of ``phrases`` that ask about cookies or request to enable scripts.
  static let consent: UInt32 = 1 << 0
  static let script: UInt32 = 1 << 22

  /// The names that page authors use as classes and ids for the parts of a page.
  static let names = CueWords([
    """
    content entry post article story text main copy prose richtext wysiwyg markdown articlebody \
    postcontent entrycontent maincontent description desc paragraph editorial bodytext rte artikel \
    beitrag inhalt textbody contenu texte contenido texto cuerpo nota noticia
    """,
    """
    comment comments disqus reply replies respond discussion commentlist kommentar kommentare \
    comentario comentarios commentaire commentaires pingback trackback avatar gravatar
    """,
    """
    sidebar side rail aside widget widgets secondary complementary sidenav seitenleiste randspalte \
    marginal marginalie lateral infobox
    """,
    """
    related recommend recommended recommendations recommendation more similar trending popular \
    latest also upnext suggested suggestions next previous prev recirc recent carousel slider \
    slick swiper featured further relatedposts yarpp jp relacionadas relacionados relacionada mehr \
    weitere verwandt readmore interessant empfehlung empfehlungen linklist
    """,
    """
    share sharing social follow facebook twitter addthis sharedaddy socials sharer shariff teilen \
    sociable whatsapp addtoany heateor compartir partager sharebar
    """,
    """
    nav navigation menu navbar breadcrumb breadcrumbs crumb crumbs pagination pager toolbar \
    megamenu dropdown submenu navi
    """,
    "footer foot copyright legal colophon disclaimer contentinfo bottom fuss",
    "header masthead banner topbar hero head jumbotron top kopf",
    """
    ad ads advert advertisement sponsor sponsored promo promotion promotions dfp adsense taboola \
    outbrain promoted advertising adslot anzeige werbung publicidad publicite affiliate adbox
    """,
    """
    newsletter subscribe subscription signup optin mailing cta mailchimp hubspot download abo \
    anmeldung suscripcion
    """,
    """
    cookie cookies consent gdpr modal popup overlay lightbox onetrust toast notice alert \
    notification ccpa privacy interstitial paywall
    """,
    """
    author byline meta date time tag tags category categories posted published bio avatar info \
    autor autoren datum autorin keywords schlagworte rubrik fecha auteur autore data metadata \
    authorbox author_box vcard postmeta
    """,
    "product products price prices cart sku variant variants buy shop shipping quantity swatch",
    "review reviews rating ratings stars star testimonial testimonials bewertung",
    """
    caption credit credits photo image gallery media video figcaption picture embed bild \
    bildunterschrift galerie foto copyright legende
    """,
    "hidden sr visually screenreader offscreen skip noprint print invisible assistive",
    "login signin account user profile register auth search searchbox",
    "card cards item items tile tiles teaser teasers grid list listing result results thumb liste",
    """
    title headline heading subtitle dek lede summary excerpt intro standfirst abstract lead \
    vorspann titel kicker dachzeile
    """,
    "thread topic message messages forum question answer answers votes postbody messagebody",
    "faq faqs accordion tab tabs panel collapse toggle tabpanel",
    "doc docs documentation api reference code highlight wiki toc tutorial",
    "feedback helpful edit report tooltip actions action button buttons btn tools",
    "filter filters sort facet facets refine select option options",
    "spec specs specification specifications feature features details attributes ingredients",
    "box block module teaserbox teaserblock contentbox snippet callout infobox kasten",
    "donate donation spende spenden support supporter steady patreon flattr membership",
    "wp elementor et jet vc fusion divi gutenberg has",
  ])

  /// The words in link addresses that hint at the kind of the target.
  static let addresses = CueWords([
    """
    tag tags schlagwort schlagworte stichwort etiqueta etiquetas tema temas topic topics thema \
    themen keyword keywords mot mots label labels hashtag dossier
    """,
    """
    category categories kategorie kategorien categoria rubrik ressort section cat rubrique channel
    """,
    """
    author authors autor autoren autorin people profile profil user users member redaktion \
    redacteur auteur writer staff team about ueber
    """,
    """
    sharer share intent sharearticle tweet facebook twitter pinterest linkedin whatsapp telegram \
    xing mailto reddit pocket flipboard instagram tumblr mastodon bsky t.me threads
    """,
    "comment comments respond reply replytocom kommentar kommentare disqus trackback pingback",
    """
    newsletter newsletters subscribe abo abonnement subscription suscripcion itunes play store rss \
    feed feeds podcast
    """,
    "login signin account register auth konto anmelden registrieren signup password oauth logout",
    "donate donation spende spenden support steadyhq patreon paypal flattr mitglied membership",
    """
    amazon amzn shop product produkt produkte products buy cart ref affiliate partner awin \
    tradedoubler digistore
    """,
    "jpg jpeg png gif webp",
    "nofollow sponsored ugc",
    "pdf doc docx zip xls",
    "wikipedia wiki doi org dx",
    "youtube youtu vimeo video videos watch soundcloud spotify",
    "utm campaign referrer medium source",
    "archive archives archiv search suche page seite",
  ])

  /// The number of groups in ``kinds``.
  static let kindGroups = 12

  /// The types that hint at the page type.
  ///
  /// Types of schema.org are prefixed with `s`, and types of Open Graph with `og`.
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

  /// The words that hint that a short text is not content.
  static let phrases = CueWords([
    "cookie cookies consent gdpr dsgvo datenschutz datenschutzerklärung",
    """
    subscribe newsletter newsletters inbox unsubscribe updates abonnieren abonniere abonnement abo \
    suscríbete suscribete boletín abonnezvous inscrire iscriviti kostenlos anmelden
    """,
    """
    login signin register account password join sign einloggen anmeldung registrieren \
    registrierung passwort connexion iniciar registrarse
    """,
    """
    copyright reserved © inc llc ltd trademark rechte vorbehalten derechos reservados droits \
    réservés prawa zastrzeżone
    """,
    """
    share tweet facebook twitter pinterest linkedin whatsapp instagram email print youtube teilen \
    drucken compartir partager condividi udostępnij xing telegram flipboard pocket feed rss mail \
    e-mail
    """,
    """
    related recommended similar trending popular latest recent more verwandte ähnliche weitere \
    neueste aktuelle beliebte meistgelesen relacionadas relacionados relacionada similaires \
    similares dernières últimas recientes mehr correlati podobne powiązane najnowsze
    """,
    """
    comment comments reply replies respond responses kommentar kommentare kommentieren antworten \
    antwort commentaire commentaires comentario comentarios répondre responder komentarz \
    komentarze commenti diskussion pingback trackback
    """,
    """
    advertisement advert sponsored ad ads promoted affiliate anzeige werbung publicidad publicité \
    pubblicità reklama partnerlinks affiliatelinks provision
    """,
    """
    price cart buy shipping checkout sale add quantity sku stock wishlist warenkorb kaufen preis \
    bestellen
    """,
    """
    posted published updated by author written minutes min ago veröffentlicht aktualisiert \
    geschrieben autor autorin redaktion erstellt publié publicado actualizado redacción uhr \
    lesezeit minuten stand verfasst auteur redactie autore
    """,
    """
    january february march april may june july august september october november december jan feb \
    mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember \
    janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero \
    marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    """,
    "privacy terms policy conditions disclaimer legal impressum agb nutzungsbedingungen",
    """
    next previous prev page back older newer zurück nächster nächste vorheriger vorherige weiter \
    seite siguiente anterior suivant précédent
    """,
    """
    menu home contact about search skip navigation careers startseite kontakt suche suchen inicio \
    accueil
    """,
    """
    download app click here learn read view see lesen weiterlesen hier klicken lees lire voir leer \
    ver czytaj leggi
    """,
    "review reviews rating ratings stars votes helpful bewertung bewertungen",
    """
    tag tags schlagwort schlagwörter schlagworte stichwort stichwörter stichworte tagged etiquetas \
    temas motsclés keywords filed abgelegt thema themen sujets kategorie kategorien category \
    categories categoría rubrik
    """,
    """
    foto fotos photo photos bild bilder quelle source credit image images imago dpa afp getty \
    reuters ap picture alliance crédit fuente symbolbild beitragsbild kuva fot pixabay unsplash \
    shutterstock istock
    """,
    """
    donate donation donations spenden spende unterstützen unterstütze support supporter paypal \
    steady patreon soutenir don apoya mitglied membership premium
    """,
    """
    auch lesetipp lies lese également aussi también además anche czytaj także też ook också også \
    também читайте также також lue myös interessieren interesar interessant interesse interesser \
    puede
    """,
    "video videos podcast galerie fotostrecke bildergalerie gallery playlist abspielen mirá mira",
    "werden wird wurde artikel beitrag eintrag article artículo diesen dieser this entry post",
    // This group comes after the groups that are features.
    "javascript",
  ])

  /// The most common function words of prose in several languages.
  static let common = CueWords([
    """
    the of and to in is that for it with as was on are be this by from at or an have not but you \
    we they which can will has their its our your der die das und ist nicht mit ein eine den von \
    zu le la les des et est une un dans pour que qui pas de en el los las una por con para del il \
    di che non per sono os um uma com para mais het een van niet zijn dat voor na się nie jest że \
    och att det som på för av og er til af ja on ei että az és hogy nem se ve bir bu için и в не \
    на что как это im sich auf für auch dem als es an werden aus er hat dass sie nach wird bei \
    einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr \
    durch man sein wurde sei
    """
  ])
}
