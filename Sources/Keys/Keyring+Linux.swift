#if !canImport(Security)
  import Core
  import Foundation
  import Processes

  /// The Secret Service of a desktop session, used through the program `secret-tool`.
  ///
  /// It is used only if there is a session bus and the program is installed. A locked or missing
  /// keyring counts as empty.
  struct Keyring {
    let environment: [String: String]
    let report: NoticeHandler

    /// `true` if the keyring can store secrets.
    var isAvailable: Bool {
      let runtime = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
      let hasBus =
        environment["DBUS_SESSION_BUS_ADDRESS"] != nil || access(runtime + "/bus", F_OK) == 0
      return hasBus
        && (environment["PATH"] ?? "").split(separator: ":").contains {
          access($0 + "/secret-tool", X_OK) == 0
        }
    }

    func secret(service: String, account: String) -> String? {
      guard isAvailable, let result = try? run("lookup", service, account, input: nil),
        result.status == 0, !result.output.isEmpty
      else { return nil }
      return String(decoding: result.output, as: UTF8.self)
    }

    func store(_ secret: String, service: String, account: String) -> Bool {
      guard isAvailable else { return false }
      let result = try? run("store", service, account, input: secret)
      return result?.status == 0
    }

    func remove(service: String, account: String) -> Bool {
      guard secret(service: service, account: account) != nil else { return false }
      return (try? run("clear", service, account, input: nil))?.status == 0
    }

    private func run(
      _ verb: String, _ service: String, _ account: String, input: String?
    ) throws(Failure) -> ChildProcess.Result {
      let label = input == nil ? [] : ["--label=agentpipes \(account)"]
      do throws(Failure) {
        return try ChildProcess.run(
          ["secret-tool", verb] + label + ["service", service, "account", account],
          input: Array((input ?? "").utf8), environment: .ofHelper(environment))
      } catch {
        report(.detail(.storage, error.explanation))
        throw error
      }
    }
  }
#endif
