// swift-tools-version: 6.2

import PackageDescription

/// Warnings are errors in our own checks only: a user's newer compiler must not break on them.
let strict: [SwiftSetting] =
  Context.environment["AGENTPIPES_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + strict

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")

let structuredFields: Target.Dependency = .product(
  name: "RawStructuredFieldValues", package: "swift-http-structured-headers")

func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")

/// Every tool and the libraries its job names, beside Core and Command.
let tools: KeyValuePairs<String, [Target.Dependency]> = [
  "agentpipes": ["Checkup"],
  "agent-adopt": ["Adopting", "Chats", "HubClient", "CodingAgents", "Watching"],
  "agent-control": ["Requests", "Watching", "HubClient", "HubQuestions"],
  "agent-run": ["Agents", "HubClient", "HubQuestions", "Watching", "Processes"],
  "agent-stat": ["Chats", "Display", "Events", "Watching", "HubClient", "HubQuestions"],
  "chat-log": ["Chats", "CompanionClient", "CodingAgents"],
  "ceo-plan": ["Events", "HubClient", "Providers", "Pipelines", "Planning"],
  "chat-send": ["Chats", "CompanionClient", "Events", "Providers", "Tools"],
  "export-md": ["Exporting"],
  "gate-decide": [
    "CodingAgents", "Hooks", "HubClient", "HubQuestions", "Keys", "Processes", "Watching",
  ],
  "hub-serve": [
    "Storage", "Chats", "Events", "Hub", "HubClient", "Keys", "Postgres", "Processes", "Providers",
    "Pushing", "Tokens", "Tools",
  ],
  "image-make": ["Exporting", "HTTP", "Providers"],
  "key-store": ["HTTP", "Keys", "Providers"],
  "link-open": [
    "CompanionClient", "HubClient", "HubWords", "Keys", "Links", "Processes", "Providers", "Tokens",
  ],
  "model-list": ["Catalogue", "Display", "HTTP", "Providers"],
  "pair": ["CompanionClient", "Display", "HubClient", "HubWords", "Processes", "QR", "Tokens"],
  "push-notify": ["Events", "HubClient", "HubSockets", "Pipelines", "Pushing", "Watching"],
  "stage-run": [
    "Storage", "Requests", "Events", "Fetching", "HubClient", "HubQuestions", "Providers",
    "Pipelines", "Stages", "Watching",
  ],
  "stream-tail": ["Storage", "Display", "HubClient", "HubSockets", "Events", "Tailing"],
  "tool-call": ["Display", "Events", "OAuth", "Tools"],
  "tmux-attach": ["Remote", "Tmux", "Watching", "Keys", "Processes", "HubClient", "HubQuestions"],
  "web-fetch": ["HTTP", "Fetching", "Reading"],
]

/// Where a start is most of the work, the Swift runtime is a part of the tool: the dynamic linker
/// takes longer to join it to a program than a page takes to read.
///
/// A compiler that was not told so leaves four of the libraries that Foundation needs unnamed.
let joined: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
      "-l_FoundationCollections",
    ], .when(platforms: [.linux], configuration: .release))
]

/// The tools that are linked so, and are as large as a runtime for it.
///
/// `AGENTPIPES_DYNAMIC` is for toolchains that come without the libraries.
let joinedTools: Set =
  Context.environment["AGENTPIPES_DYNAMIC"] == nil ? ["web-fetch"] : []

/// Where systems keep the headers of libxml2 (`xml2-config --cflags`).
let xmlHeaders = ["-I/usr/include/libxml2"]

/// A library; its data files become a part of it, so that no tool looks for them when it runs.
func library(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], data: [String] = [],
  headers: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude,
    resources: data.map { .embedInCode($0) },
    swiftSettings: settings
      + (headers.isEmpty ? [] : [.unsafeFlags(headers.flatMap { ["-Xcc", $0] })]))
}

/// The tests of the library of that name, unless a path says what else they are of.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, path: path ?? "Tests/Units/\(name)",
    exclude: exclude, swiftSettings: settings)
}

func judge(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

/// Judges, fuzzers, benches and training, for the scripts that run them:
/// `AGENTPIPES_JUDGES=1 swift build --product NAME`.
let judges: [Target] = [
  judge("content-training", ["Reading"], path: "scripts/train.d/ContentTraining"),
  judge("reading-fuzz", ["ReadingFuzz", "TestSupport"], path: "Tests/Endurance/Fuzz/Program"),
  judge(
    "event-log-bench", ["Core", "Storage", "Events", "Watching"],
    path: "scripts/bench.d/EventLogBench"),
  judge(
    "known-hosts-judge", ["Core", "Cryptography", "Processes", "Remote", "TestSupport"],
    path: "Tests/Endurance/KnownHosts"),
  judge(
    "configuration-judge", ["Core", "Command", "TOML"],
    path: "Tests/Endurance/Configuration/Judge"),
  judge("price-judge", ["Core", "Catalogue"], path: "Tests/Endurance/Prices/Judge"),
  judge(
    "websocket-echo", ["Core", "WebSocket", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1")],
    path: "Tests/Endurance/WebSocketEcho"),
].filter { _ in Context.environment["AGENTPIPES_JUDGES"] != nil }

/// A target that stands for several programs: `swift build --target NAME` builds them, and neither
/// tests nor the programs of dependencies.
func bundle(_ name: String, _ programs: [String]) -> Target {
  .target(name: name, dependencies: programs.map { .byName(name: $0) }, path: "scripts/lib/\(name)")
}

let package = Package(
  name: "agentpipes",
  platforms: [.macOS(.v15)],
  products: tools.map { .executable(name: $0.key, targets: [$0.key]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-structured-headers", exact: "1.7.0"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1",
      traits: ["FullFoundation"]),
  ],
  targets: [
    .systemLibrary(
      name: "CZ", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    // Each of these libraries is loaded when it is first called.
    .target(name: "CLoading"),
    .target(name: "CCrypto", dependencies: ["CLoading"]),
    .target(name: "CPQ", dependencies: ["CLoading"]),
    .target(name: "CQRencode", dependencies: ["CLoading"]),
    .target(name: "CSSH", dependencies: ["CLoading"]),
    .target(name: "CXML2", dependencies: ["CLoading"], cSettings: [.unsafeFlags(xmlHeaders)]),
    .target(name: "CCurl", dependencies: ["CLoading"]),
    .target(name: "CContentModel"),
    .target(name: "CProcess"),
    .target(name: "CTerminal"),

    library("Core", ["CLoading"]),
    library("Cryptography", ["Core", "CCrypto"]),
    library("Storage", ["Core", database]),
    library("Postgres", ["Core", "Storage", "Events", "CPQ"]),
    library("Processes", ["Core", "CProcess"]),
    library("Keys", ["Core", "Cryptography", "Processes"]),
    library("Tokens", ["Core", "Cryptography"]),
    library("Signing", ["Core", "Cryptography", structuredFields]),
    library("QR", ["Core", "CQRencode"]),
    library("Display", ["Core", "Markdown", "Terminals"]),
    library(
      "Command",
      [
        "Core", "Catalogue", "Display", "Storage", "Keys", "Processes", "Terminals", "TOML",
        arguments,
      ]),
    library("HTTP", ["Core", "CCurl"]),
    library("Reading", ["Core", "Markdown", "CXML2", "CContentModel"], headers: xmlHeaders),
    library("Fetching", ["Core", "Storage", "HTTP", "Reading", "Processes", database]),
    library("Catalogue", ["Core"], data: ["models.ndjson"]),
    library("Providers", ["Core", "Catalogue", "Extraction", "HTTP", "Keys", "OAuth"]),
    library("OAuth", ["Core", "HTTP", "Keys"]),
    library("MCP", ["Core", "HTTP", "OAuth", "Processes"]),
    library(
      "Tools",
      [
        "Core", "Storage", "Events", "HTTP", "Keys", "MCP", "OAuth", "Processes", "Requests",
        "Schemas", "Providers", "Asking", "Terminals", "TOML",
      ]),
    library("Hooks", ["Core", "MCP", "Processes", "CodingAgents"]),
    library("Schemas", ["Core"]),
    library("Extraction", ["Core", "Markdown"]),
    library("Links", ["Core"]),
    library("CodingAgents", ["Core", "Storage", "Catalogue", "Processes", database]),
    library("Markdown", []),
    library("TOML", ["Core"]),
    library("Requests", ["Core", "Storage"]),
    library("Asking", ["Core", "Storage", "Catalogue", "Providers", database]),
    library(
      "Chats",
      [
        "Core", "Storage", "Extraction", "Keys", "Schemas", "Providers", "Asking", "CodingAgents",
        database, "Cryptography",
      ]),
    library("Pipelines", ["Core", "Storage", "Requests", "Events", "Asking", database]),
    library(
      "Planning",
      [
        "Core", "Storage", "Catalogue", "Extraction", "Keys", "Providers", "Asking", "Chats",
        "Pipelines",
      ]),
    library(
      "Stages",
      [
        "Core", "Storage", "Catalogue", "Extraction", "Requests", "Events", "Providers", "Asking",
        "Fetching", "Pipelines",
      ]),
    library("Exporting", ["Core", "Storage"]),
    library(
      "Pages", ["Core", "Display", "Markdown"],
      data: [
        "Assets/icon.svg", "Assets/manifest.webmanifest", "Assets/script.js", "Assets/style.css",
        "Assets/worker.js",
      ]),
    library(
      "Pushing", ["Core", "Cryptography", "Storage", "HTTP", "HubWords", "Keys", "Processes"]),
    library("Checkup", ["Core", "Storage", "HTTP", "HubClient", "Keys", "Providers", "Tokens"]),
    library("HubWords", ["Core"]),
    library("Terminals", []),
    library("Tmux", ["Core", "Terminals"]),
    library("Events", ["Core", "Storage", database]),
    library("Tailing", ["Core", "Events", "CZ"]),
    library(
      "Watching", ["Core", "Storage", "Requests", "Terminals", "Events", "Processes", "Tmux"]),
    library(
      "Remote",
      ["Core", "Cryptography", "CSSH", "CTerminal", "Keys", "Processes", "Terminals", "Tmux"]),
    library(
      "Agents",
      [
        "CodingAgents", "Core", "Storage", "Requests", "Events", "HubClient", "Watching",
        "Processes", "Terminals",
      ]),
    library(
      "Adopting",
      ["Core", "Storage", "Requests", "Events", "HubClient", "CodingAgents", "Processes"]),
    library(
      "WebSocket",
      [
        "Core", "Processes", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
        nio("NIOWebSocket"), tls,
      ]),
    library("OTLP", ["CodingAgents", "Core", "Catalogue", "Events"]),
    library(
      "HubClient",
      ["Core", "Storage", "Events", "HTTP", "HubWords", "Keys", "Processes", "Requests", "Tokens"]),
    library("HubSockets", ["Core", "HubClient", "HubWords", "WebSocket"]),
    library("HubQuestions", ["Core", "Requests", "Watching", "HTTP", "HubClient", "HubWords"]),
    library(
      "CompanionClient",
      ["Core", "Storage", "HTTP", "HubWords", "Keys", "Signing", "Tokens"]),
    library(
      "Hub",
      [
        "Core", "Storage", "Requests", "Events", "Tailing", "Watching", "Signing", "WebSocket",
        "OTLP", "Chats", "HTTP", "HubWords", "Keys", "Pages", "Providers", "Tokens", "Cryptography",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), tls,
      ]),

    // Also run by itself, for as long as one likes: Tests/Endurance/fuzz-reading.sh.
    .target(
      name: "ReadingFuzz", dependencies: ["Core", "Reading", "TestSupport"],
      path: "Tests/Endurance/Fuzz/Reading",
      swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["Core", "Postgres", "Storage"],
      path: "Tests/Support/Swift", swiftSettings: settings),

    tests("Core", ["Core", "Processes", "TestSupport"]),
    tests("Storage", ["Core", "Storage", "Processes", "TestSupport", database]),
    tests(
      "Postgres", ["Core", "Events", "Postgres", "Requests", "Storage", "TestSupport", database]),
    tests("Cryptography", ["Core", "Cryptography", "TestSupport"]),
    tests("Processes", ["Core", "Processes", "TestSupport"]),
    tests("Keys", ["Core", "Processes", "Keys", "TestSupport"]),
    tests("Command", ["Core", "Command"]),
    tests("Markdown", ["Markdown", "TestSupport"]),
    tests("TOML", ["TOML"]),
    tests("HTTP", ["Core", "HTTP", "TestSupport"], exclude: ["Events/Fixtures"]),
    tests("Reading", ["Core", "Reading", "ReadingFuzz", "TestSupport"]),
    tests("Fetching", ["Core", "HTTP", "Reading", "Fetching", "TestSupport", database]),
    tests("Catalogue", ["Core", "Catalogue", "TestSupport"]),
    tests("Extraction", ["Core", "Extraction", "TestSupport"]),
    tests(
      "Providers", ["Core", "Catalogue", "Extraction", "HTTP", "Providers", "Keys", "TestSupport"]),
    tests("Hooks", ["CodingAgents", "Core", "Hooks", "MCP", "TestSupport"]),
    tests("Links", ["Core", "Links"]),
    tests("Schemas", ["Core", "Schemas", "TestSupport"]),
    tests("CodingAgents", ["Core", "CodingAgents", "TestSupport"]),
    tests("Requests", ["Core", "Storage", "Requests", "TestSupport"]),
    tests(
      "Asking", ["Core", "Storage", "Catalogue", "Providers", "Asking", "TestSupport", database]),
    tests(
      "Chats",
      [
        "Core", "Storage", "Asking", "Catalogue", "Chats", "Keys", "Providers", "CodingAgents",
        "TestSupport", database,
      ]),
    tests(
      "Pipelines", ["Core", "Storage", "Asking", "Requests", "Events", "Pipelines", "TestSupport"]),
    tests("Planning", ["Core", "Planning", "TestSupport"]),
    tests("Stages", ["Core", "Extraction", "Providers", "Pipelines", "Stages"]),
    tests("Exporting", ["Core", "Exporting", "TestSupport"]),
    tests("Display", ["Core", "Display", "TestSupport"], exclude: ["Fixtures"]),
    tests("Terminals", ["Terminals", "TestSupport"]),
    tests("Tmux", ["Core", "Terminals", "Tmux", "TestSupport", "Processes"]),
    tests("Events", ["Core", "Events", "Processes", "Tailing", "TestSupport", database]),
    tests(
      "Watching", ["Core", "Storage", "Requests", "Events", "Watching", "TestSupport", database]),
    tests("Remote", ["Core", "Cryptography", "Remote", "TestSupport", "Keys", "Terminals"]),
    tests("OTLP", ["Core", "OTLP", "TestSupport"], exclude: ["Fixtures"]),
    tests("Agents", ["Core", "Agents", "Events", "CodingAgents", "TestSupport"]),
    tests(
      "Adopting",
      [
        "Adopting", "CodingAgents", "Core", "Events", "Processes", "Requests", "Storage",
        "TestSupport",
      ]),
    tests(
      "CompanionClient",
      ["CompanionClient", "Core", "HTTP", "HubWords", "Keys", "Signing", "TestSupport"]),
    tests("MCP", ["Core", "HTTP", "Keys", "MCP", "OAuth", "Processes", "Schemas", "TestSupport"]),
    tests("OAuth", ["Core", "HTTP", "Keys", "OAuth", "TestSupport"]),
    tests("Pages", ["Core", "Pages", "TestSupport"]),
    tests("Pushing", ["Core", "Cryptography", "Pushing", "Storage", "TestSupport"]),
    tests("QR", ["Core", "QR", "TestSupport"]),
    tests("Signing", ["Core", "Cryptography", "HubWords", "Signing"]),
    tests("Tokens", ["Core", "Keys", "TestSupport", "Tokens"]),
    tests(
      "Hub",
      [
        "Core", "Storage", "Events", "HTTP", "Hub", "HubWords", "Keys", "OTLP", "Providers",
        "Requests", "Signing", "TestSupport", "Tokens", "Cryptography",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        nio("NIOCore"), nio("NIOEmbedded"), nio("NIOPosix"),
      ]),
    tests("HubWords", ["Core", "HubWords", "TestSupport"]),
    tests(
      "HubClient",
      ["Core", "Events", "HTTP", "HubClient", "HubWords", "Keys", "TestSupport", "Tokens"]),
    tests(
      "HubQuestions",
      [
        "Core", "HubClient", "HubQuestions", "Keys", "Requests", "TestSupport", "Tokens",
        "Watching",
      ]),
    tests(
      "HubSockets", ["Core", "Events", "HubClient", "HubSockets", "TestSupport", "Cryptography"]),
    tests("Tools", ["Core", "HTTP", "Providers", "TestSupport", "Tools"]),
    tests(
      "WebSocket",
      [
        "Core", "WebSocket", "TestSupport", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
        nio("NIOEmbedded"), tls,
      ]),
    tests("Layout", [], path: "Tests/Rules/Layout"),
    tests("Man", ["Core", "TestSupport"], path: "Tests/Rules/Man"),
    tests(
      "Tool", ["Core", "Storage", "Requests", "Processes", "TestSupport"], path: "Tests/Tools",
      exclude: ["Golden"]),
  ]
    + tools.map { name, libraries in
      .executableTarget(
        name: name, dependencies: ["Core", "Command", arguments] + libraries,
        swiftSettings: settings, linkerSettings: joinedTools.contains(name) ? joined : [])
    }
    + [
      bundle("main-job", ["ceo-plan", "stage-run", "web-fetch", "export-md"]),
      bundle("all-tools", tools.map(\.key) + judges.map(\.name)),
    ] + judges,
  swiftLanguageModes: [.v6]
)
