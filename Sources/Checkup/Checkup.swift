public import Core
import Foundation
import HubClient
public import Keys
import Providers
import Storage
import Tokens

/// The state of the toolbox on this machine.
///
/// Like other tools, it opens the store and looks secrets up. It asks no hub.
public struct Checkup: Sendable {
  let surroundings: any Surroundings
  var directories: Directories { surroundings.directories }

  /// Creates the value without reading anything.
  ///
  /// - Parameter surroundings: The environment of the tool.
  public init(_ surroundings: any Surroundings) { self.surroundings = surroundings }

  /// Returns the state of keys, model, hub, databases and units, in this order.
  public func state() -> [Check] {
    do throws(Failure) {
      return state(of: try surroundings.configuration())
    } catch {
      return [Check("configuration", error)] + state(of: nil)
    }
  }

  /// Returns the state of everything; without a configuration, of what does not depend on it.
  func state(of settings: Settings?) -> [Check] {
    let configured = settings.map { keys($0) + [model($0), hub] } ?? []
    return configured + databases + [unit]
  }

  /// Returns the next step that a user should take, given the state.
  ///
  /// Something that makes tools fail comes first.
  public static func nextStep(after checks: [Check]) -> String {
    let order: [Check.Status] = [.wrong, .missing]
    let steps = order.lazy.compactMap { status in
      checks.first { $0.status == status && $0.nextStep != nil }?.nextStep
    }
    return steps.first ?? "ceo-plan 'a goal' | stage-run | export-md"
  }

  /// Returns the check that the given work makes; its failure becomes a check as well.
  func check(_ name: String, _ work: () throws(Failure) -> Check) -> Check {
    do throws(Failure) {
      return try work()
    } catch {
      return Check(name, error)
    }
  }

  private func keys(_ settings: Settings) -> [Check] {
    let found: [Result<KeyRecord, Failure>]
    do throws(Failure) {
      found = try surroundings.keys(settings).list()
    } catch {
      return [Check("key", error)]
    }
    let checks = found.map { result in
      switch result {
      case .success(let key):
        Check("key", .ok, "'\(Visible.line(key.name))' comes from \(key.source.words)")
      case .failure(let failure): Check("key", failure)
      }
    }
    let asked = ["anthropic", "openai", "azure", "github"]
    let hasProvider = found.contains { asked.contains((try? $0.get())?.name ?? "") }
    guard !hasProvider else { return checks }
    return checks + [
      Check(
        "key", .missing, "no provider of models has a key",
        nextStep: "key-store set anthropic < key.txt")
    ]
  }

  private func model(_ settings: Settings) -> Check {
    check("model") { () throws(Failure) in
      let models = ModelAccess(
        settings, directories, keys: surroundings.keys(settings),
        environment: surroundings.environment, timeouts: (nil, nil, nil), retries: nil)
      let choice = try models.directory.choose(nil)
      let isExtractive = choice.name == ExtractiveProvider.modelName
      return Check(
        "model", .ok,
        isExtractive
          ? "'\(choice.name)', which only quotes pages"
          : "'\(choice.name)' answers if no other model is named")
    }
  }

  private var hub: Check {
    check("hub") { () throws(Failure) in
      guard let own = try OwnHub.existing(in: directories) else {
        return Check("hub", .missing, "no hub ran here", nextStep: "hub-serve --page &")
      }
      guard OwnHub.isServing(directories) else {
        return Check(
          "hub", .missing, "the hub at '\(own.url)' does not run", nextStep: "hub-serve --page &")
      }
      let running = RunningTool(holding: "\(directories.state)/\(OwnHub.lockName)")
      guard running?.isReplaced != true else {
        return Check(
          "hub", .wrong, "the hub at '\(own.url)' is of an earlier installation",
          nextStep: "stop the hub, and start it again")
      }
      return Check("hub", .ok, "a hub serves at '\(own.url)'")
    }
  }

  private var databases: [Check] {
    let store = check("store") { () throws(Failure) in
      guard let store = try Store(existingIn: directories) else {
        return Check("store", .ok, "nothing is stored yet")
      }
      let schema = try store.schema.map { ", schema '\($0)'" } ?? ""
      return Check("store", .ok, size(of: "store.db") + schema)
    }
    let log = size(of: "events.db")
    return [store, Check("log", .ok, log.isEmpty ? "no events are stored yet" : log)]
  }

  /// Returns the size and the path of the given database; an empty text if there is none.
  private func size(of name: String) -> String {
    let path = directories.data + "/" + name
    let bytes = ["", "-wal"].map { suffix in
      (try? FileManager.default.attributesOfItem(atPath: path + suffix)[.size] as? Int) ?? 0
    }
    let sum = bytes.reduce(0, +)
    return sum == 0 ? "" : "\(String(format: "%.1f", Double(sum) / 1e6)) MB in '\(path)'"
  }

  /// The unit with which systemd runs a hub of this user.
  private var unit: Check {
    let name = "agentpipes-hub.service"
    let home = surroundings.environment["HOME"] ?? "/"
    let named = surroundings.environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    let own = (named ?? home + "/.config") + "/systemd/user"
    let folders = [
      own, home + "/.local/share/systemd/user", "/etc/systemd/user", "/usr/local/lib/systemd/user",
      "/usr/lib/systemd/user",
    ]
    let exists = { (path: String) in access(path, F_OK) == 0 }
    guard let folder = folders.first(where: { exists("\($0)/\(name)") }) else {
      return Check("unit", .ok, "no unit of systemd is installed")
    }
    let isEnabled = [own, "/etc/systemd/user"].contains {
      exists("\($0)/default.target.wants/\(name)")
    }
    return Check("unit", .ok, "'\(folder)/\(name)' is \(isEnabled ? "enabled" : "not enabled")")
  }
}
