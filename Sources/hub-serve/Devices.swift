public import ArgumentParser
import Command
public import Core
import Hub
import Storage
import Tokens

struct MakeRegisterCode: Tool {
  static let configuration = verbConfiguration(
    "register-code", abstract: "Create a registration code for a device")

  @Option(help: ArgumentHelp("The scope of the device's access.", valueName: "what"))
  var scope = DeviceScope.all
  @Option(
    help: ArgumentHelp("The device's name, in place of its own.", valueName: "name"))
  var name: String?
  @OptionGroup var shared: RecordsOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard scope != .companion else {
      throw ValidationError("Companions pair with 'pair start'.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    let settings = try ServeSettings(try session.configuration())
    let pairing = try session.devices(shared).makeCode(scope: scope, name: name)
    try session.write([pairing])
    guard session.isOnTerminal else { return }
    // If an option set the port of the hub, it is known from the file that the hub wrote.
    let own = try? OwnHub.existing(in: session.directories)
    let url = settings.publicURL ?? own?.url ?? "http://\(settings.listen)"
    session.diagnostics.report("on the device: pair register \(url) --code \(pairing.code)")
  }
}

struct ListDevices: Tool {
  static let configuration = verbConfiguration(
    "devices", abstract: "List registered devices")

  @OptionGroup var shared: RecordsOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let store = try session.existingStore(shared) else { return try session.write([]) }
    let machine = shared.records == nil ? nil : try Store(existingIn: session.directories)
    try session.write(try DeviceDesk(store, of: machine).devices())
  }
}

struct RevokeDevice: Tool {
  static let configuration = verbConfiguration("revoke", abstract: "Revoke a device's access")

  @Argument(help: "The device's id, or its name.")
  var device: String
  @OptionGroup var shared: RecordsOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write([try session.devices(shared).revoke(device)])
  }
}

extension DeviceScope: ExpressibleByArgument {
  /// The scopes that a device can be registered with.
  ///
  /// The scope of companions is excluded, because they are paired instead.
  public static var allValueStrings: [String] {
    allCases.filter { $0 != .companion }.map(\.rawValue)
  }
}

extension Session {
  fileprivate func devices(_ options: RecordsOptions) throws(Failure) -> DeviceDesk {
    DeviceDesk(
      try hubStore(options), of: options.records == nil ? nil : try Store(directories))
  }
}
