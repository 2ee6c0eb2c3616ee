public import ArgumentParser
public import Core
import Foundation
import Keys
import Storage

/// Completions of ids and names from the stored data.
///
/// Completing writes nothing and prints no message; unreadable data yields no completions.
extension CompletionKind {
  /// Agent ids.
  public static var agents: CompletionKind { stored(.agent) }
  /// Swarm ids.
  public static var swarms: CompletionKind { stored(.swarm) }
  /// Skills and tools.
  public static var skills: CompletionKind { stored(.skill) }
  /// Incident ids.
  public static var incidents: CompletionKind { stored(.incident) }
  /// Open incidents.
  public static var openIncidents: CompletionKind { stored(.openIncident) }
  /// A function that returns the titles of chats or projects by id.
  ///
  /// The store holds titles only encrypted.
  public typealias Titles = @Sendable (Directories) -> [String: String]

  /// Returns the completion of chats, with their titles.
  public static func chats(_ titles: @escaping Titles) -> CompletionKind { sealed(.chat, titles) }
  /// Returns the completion of projects, with their names.
  public static func projects(_ titles: @escaping Titles) -> CompletionKind {
    sealed(.project, titles)
  }
  /// Answers by several models to one prompt, with any of which a chat can continue.
  public static var answers: CompletionKind { stored(.answer) }
  /// Hosts that this machine is paired with, and hosts in the configuration.
  public static var hosts: CompletionKind {
    .custom { _, _, _ in
      let paired = names(.host)
      let known = Set(paired.map(\.id))
      let configured = settings.hosts.filter { !known.contains($0.key) }
        .keys.sorted()
      return shown(paired + configured.map { StoredNames.Name(id: $0) })
    }
  }
  /// Hubs in the configuration.
  public static var hubs: CompletionKind {
    .custom { _, _, _ in shown(settings.hubs.keys.sorted().map { StoredNames.Name(id: $0) }) }
  }
  /// Gate ids.
  public static var gates: CompletionKind { stored(.gate) }
  /// Gates that wait for a decision.
  public static var pendingGates: CompletionKind { stored(.pendingGate) }
  /// Pipeline ids.
  public static var pipelines: CompletionKind { stored(.pipeline) }

  /// Agents after the word `agent`, and swarms after the word `swarm`.
  public static var controlTargets: CompletionKind {
    .custom { words, index, _ in
      let before = words.prefix(max(0, index))
      let word = before.last { $0 == "agent" || $0 == "swarm" }
      return shown(names(word == "swarm" ? .swarm : .agent))
    }
  }

  /// Targets of a threshold: `all`, swarms, agents and skills.
  public static var thresholdTargets: CompletionKind {
    .custom { _, _, _ in
      let all = StoredNames.Name(id: "all")
      return shown([all] + names(.swarm) + names(.agent) + names(.skill))
    }
  }

  /// Pipelines that can be resumed; none unless the command line contains `--resume`.
  public static var unfinishedPipelines: CompletionKind {
    .custom { words, _, _ in
      words.contains("--resume") ? shown(names(.unfinishedPipeline)) : []
    }
  }

  /// Secrets that may be stored: those of the providers, and those in the sealed file.
  public static var secrets: CompletionKind {
    .custom { _, _, _ in
      shown(KeyStore.likelyNames(in: directories).map { StoredNames.Name(id: $0) })
    }
  }

  /// Models that `model-list` added or the configuration describes.
  public static var addedModels: CompletionKind {
    .custom { _, _, _ in shown(settings.models.keys.sorted().map { StoredNames.Name(id: $0) }) }
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

  /// The configuration with the added models; empty if the file is invalid.
  static var settings: Settings {
    let own = (try? ConfigurationFile.read(directories.config + "/config.toml")) ?? nil
    return (try? ModelsFile(directories).completing(own ?? Settings())) ?? own ?? Settings()
  }

  private static func names(_ kind: StoredNames.Kind) -> [StoredNames.Name] {
    StoredNames(directories).names(kind)
  }

  /// Returns the given names, with their titles, in the form that the requesting shell expects.
  ///
  /// Names come from the users who run agents, and a shell interprets the words that it is offered.
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
