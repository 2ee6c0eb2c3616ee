/// A file that views refer to.
public enum PageAsset: String, Sendable, CaseIterable {
  case style = "style.css"
  case script = "script.js"
  case worker = "worker.js"
  case icon = "icon.svg"
  case manifest = "manifest.webmanifest"

  /// The media type of the file.
  public var mediaType: String {
    switch self {
    case .style: "text/css; charset=utf-8"
    case .script, .worker: "text/javascript; charset=utf-8"
    case .icon: "image/svg+xml"
    case .manifest: "application/manifest+json"
    }
  }

  /// The contents of the file.
  public var bytes: [UInt8] {
    switch self {
    case .style: PackageResources.style_css
    case .script: PackageResources.script_js
    case .worker: PackageResources.worker_js
    case .icon: PackageResources.icon_svg
    case .manifest: PackageResources.manifest_webmanifest
    }
  }
}
