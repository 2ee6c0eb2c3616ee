public import ArgumentParser
public import Core
import Foundation
import Keys
import Storage

/// Completions of ids and names from stored data.
///
/// They write nothing and print no message. If the data cannot be read, there are no completions.
extension CompletionKind {
  /// The completion of agent ids.
  public static var agents: CompletionKind { stored(.agent) }
  /// The completion of swarm ids.
  public static var swarms: CompletionKind { stored(.swarm) }
  /// The completion of skill and tool ids.
  public static var skills: CompletionKind { stored(.skill) }
  /// The completion of incident ids.
  public static var incidents: CompletionKind { stored(.incident) }
  /// The completion of ids of open incidents.
  public static var openIncidents: CompletionKind { stored(.openIncident) }
  /// A function that returns the titles of chats or projects, by id.
  ///
  /// A function is needed because the store contains titles only in encrypted form.
  public typealias Titles = @Sendable (Directories) -> [String: String]

  /// Returns the completion of chats, with their titles.
  public static func chats(_ titles: @escaping Titles) -> CompletionKind { sealed(.chat, titles) }
  /// Returns the completion of projects, with their names.
  public static func projects(_ titles: @escaping Titles) -> CompletionKind {
    sealed(.project, titles)
  }
  /// The completion of answers to a prompt that several models answered.
  ///
  /// A chat can continue from any of these answers.
  public static var answers: CompletionKind { stored(.answer) }
  /// The completion of hosts that this machine paired with or that the configuration names.
  public static var hosts: CompletionKind {
    .custom { _, _, _ in
      let paired = names(.host)
      let known = Set(paired.map(\.id))
      let configured = settings.hosts.filter { !known.contains($0.key) }
        .keys.sorted()
      return shown(paired + configured.map { StoredNames.Name(id: $0) })
    }
  }
  /// The completion of hubs that the configuration names.
  public static var hubs: CompletionKind {
    .custom { _, _, _ in shown(settings.hubs.keys.sorted().map { StoredNames.Name(id: $0) }) }
  }
  /// The completion of gate ids.
  public static var gates: CompletionKind { stored(.gate) }
  /// The completion of ids of gates that wait for a decision.
  public static var pendingGates: CompletionKind { stored(.pendingGate) }
  /// The completion of pipeline ids.
  public static var pipelines: CompletionKind { stored(.pipeline) }

  /// The completion of swarms after the word `swarm`, of nothing after `session`, and of agents
  /// otherwise.
  public static var controlTargets: CompletionKind {
    .custom { words, index, _ in
      let before = words.prefix(max(0, index))
      switch before.last(where: { ["agent", "swarm", "session"].contains($0) }) {
      case "swarm": return shown(names(.swarm))
      // The ids of sessions are not stored.
      case "session": return []
      default: return shown(names(.agent))
      }
    }
  }

  /// The completion of a threshold's targets, which are `all`, swarms, agents and skills.
  public static var thresholdTargets: CompletionKind {
    .custom { _, _, _ in
      let all = StoredNames.Name(id: "all")
      return shown([all] + names(.swarm) + names(.agent) + names(.skill))
    }
  }

  /// The completion of pipelines that can be resumed.
  ///
  /// There are none unless the command line contains `--resume`.
  public static var unfinishedPipelines: CompletionKind {
    .custom { words, _, _ in
      words.contains("--resume") ? shown(names(.unfinishedPipeline)) : []
    }
  }

  /// The completion of names under which secrets may be stored.
  ///
  /// They are the providers and the names in the sealed file.
  public static var secrets: CompletionKind {
    .custom { _, _, _ in
      shown(KeyStore.likelyNames(in: directories).map { StoredNames.Name(id: $0) })
    }
  }

  /// The completion of models that `model-list` added or that the configuration describes.
  public static var addedModels: CompletionKind {
    .custom { _, _, _ in shown(settings.models.keys.sorted().map { StoredNames.Name(id: $0) }) }
  }

  /// Servers of the configuration, and those that `tool-call` added.
  public static var servers: CompletionKind {
    .custom { _, _, _ in shown(settings.mcp.keys.sorted().map { StoredNames.Name(id: $0) }) }
  }

  /// The sources of tools: servers, as `mcp:NAME`.
  public static var toolSources: CompletionKind {
    .custom { _, _, _ in
      shown(settings.mcp.keys.sorted().map { StoredNames.Name(id: "mcp:\($0)") })
    }
  }

  /// Returns the completion of tools, whose names the given function reads from stored lists.
  public static func tools(
    _ names: @escaping @Sendable (Directories) -> [String]
  ) -> CompletionKind {
    .custom { _, _, _ in shown(names(directories).map { StoredNames.Name(id: $0) }) }
  }

  private static func sealed(
    _ kind: StoredNames.Kind, _ titles: @escaping Titles
  ) -> CompletionKind {
    .custom { _, _, _ in
      let titles = titles(directories)
      return shown(names(kind).map { StoredNames.Name(id: $0.id, text: titles[$0.id]) })
    }
  }

  private static func stored(_ kind: StoredNames.Kind) -> CompletionKind {
    .custom { _, _, _ in shown(names(kind)) }
  }

  static var directories: Directories {
    Directories(environment: ProcessInfo.processInfo.environment)
  }

  /// The configuration with the added models and servers; empty if the file is invalid.
  static var settings: Settings {
    let own = (try? ConfigurationFile.read(directories.config + "/config.toml")) ?? nil
    let models = (try? ModelsFile(directories).completing(own ?? Settings())) ?? own ?? Settings()
    return (try? ToolsFile(directories).completing(models)) ?? models
  }

  private static func names(_ kind: StoredNames.Kind) -> [StoredNames.Name] {
    StoredNames(directories).names(kind)
  }

  /// Returns the given names and their titles in the form that the requesting shell expects.
  ///
  /// A shell interprets the words that are offered to it, and names may come from other users.
  /// Names that are not plain words are therefore omitted. Titles are offered to bash only if its
  /// script requests them by a variable, because an older script would expand them.
  static func shown(_ names: [StoredNames.Name]) -> [String] {
    let takesTitles = ProcessInfo.processInfo.environment["SAP_TITLES"] != nil
    return names.filter { isWord($0.id) }.map { name in
      let text = name.text.map { String(Visible.line($0).prefix(60)) } ?? ""
      let isKnown = !text.isEmpty && text != name.id
      switch CompletionShell.requesting {
      case .some(.fish): return isKnown ? "\(name.id)\t\(text)" : name.id
      case .some(.bash): return isKnown && takesTitles ? "\(name.id)\t\(text)" : name.id
      case .some(.zsh):
        let id = name.id.replacing(":", with: "\\:")
        return isKnown ? "\(id):\(text)" : id
      default: return name.id
      }
    }
  }

  private static func isWord(_ id: String) -> Bool {
    !id.isEmpty && id.count <= 200 && !id.hasPrefix("-")
      && id.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "._-+@:/%,".unicodeScalars.contains(scalar)
      }
  }
}
