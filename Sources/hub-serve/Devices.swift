public import ArgumentParser
import Command
public import Core
import Hub
import Storage
import Tokens

struct MakeRegisterCode: Tool {
  static let configuration = verbConfiguration(
    "register-code", abstract: "Make a code that a device registers with")

  @Option(help: ArgumentHelp("What the device may do.", valueName: "what"))
  var scope = DeviceScope.all
  @Option(
    help: ArgumentHelp("What the device is called, whatever it calls itself.", valueName: "name"))
  var name: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard scope != .companion else {
      throw ValidationError("A companion pairs by 'pair start'.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    let settings = try ServeSettings(try session.configuration())
    let pairing = try session.devices().makeCode(scope: scope, name: name)
    try session.write([pairing])
    guard session.isOnTerminal else { return }
    // A hub that was told another port by an option is found by the file that it wrote.
    let own = try? OwnHub.existing(in: session.directories)
    let url = settings.publicURL ?? own?.url ?? "http://\(settings.listen)"
    session.diagnostics.report("on the device: pair register \(url) --code \(pairing.code)")
  }
}

struct ListDevices: Tool {
  static let configuration = verbConfiguration(
    "devices", abstract: "List the devices that registered")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let store = try Store(existingIn: session.directories) else {
      return try session.write([])
    }
    try session.write(try DeviceDesk(store).devices())
  }
}

struct RevokeDevice: Tool {
  static let configuration = verbConfiguration("revoke", abstract: "Let a device in no more")

  @Argument(help: "The device's id, or its name.")
  var device: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write([try session.devices().revoke(device)])
  }
}

extension DeviceScope: ExpressibleByArgument {
  /// What a device that registers may do: companions pair.
  public static var allValueStrings: [String] {
    allCases.filter { $0 != .companion }.map(\.rawValue)
  }
}

extension Session {
  fileprivate func devices() throws(Failure) -> DeviceDesk {
    DeviceDesk(try Store(directories))
  }
}
