// swift-tools-version: 6.2
import PackageDescription

/// The Swift 6 language mode is on for the whole package; these are the upcoming features with it.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .treatAllWarnings(as: .error),  // SE-0443
]

/// The modules whose loops over bytes, words and numbers take most of the time of an unoptimized program. They are
/// optimized in each build: the demo of a build from source takes less than half of the time, the tests two thirds.
///
/// With `PLIMSOLL_UNOPTIMIZED` they are not: for a debugger, and for a sanitizer that is to see every access.
let busyModules: Set<String> =
    Context.environment["PLIMSOLL_UNOPTIMIZED"] == nil
    ? [
        "AppHealth", "Charts", "Diagnostics", "Files", "Formatting", "Markup", "Site", "SiteChecks",
        "Statistics", "Templates",
    ] : []

/// The settings of a module.
func compilerSettings(of name: String) -> [SwiftSetting] {
    settings + (busyModules.contains(name) ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
}

/// A module of the program, in `Sources/<name>`. Files that are built into it need none next to the program.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], files: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: files.map { .embedInCode($0) },
        swiftSettings: compilerSettings(of: name))
}

/// A module with raw pointers: every use of one is marked (SE-0458).
func strictModule(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies,
        swiftSettings: compilerSettings(of: name) + [.strictMemorySafety()])
}

/// The tests of a module, in `Tests/<name>Tests`.
func tests(
    of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
        swiftSettings: settings)
}

// Where it can be, libcurl and libcrypto are loaded at their first use, for which parts in C are needed.
#if os(Linux)
    let curl = Target.target(name: "CCurl")
    let crypto = Target.target(name: "CCrypto")
#else
    let curl = Target.systemLibrary(
        name: "CCurl", path: "Sources/CCurl/include", pkgConfig: "libcurl", providers: [.brew(["curl"])])
    let crypto = Target.systemLibrary(
        name: "CCrypto", path: "Sources/CCrypto/include", pkgConfig: "libcrypto",
        providers: [.brew(["openssl@3"])])
#endif

let package = Package(
    name: "plimsoll",
    products: [
        .executable(name: "plimsoll", targets: ["plimsoll"]),
        .executable(name: "plimsoll-bench", targets: ["plimsoll-bench"]),
        .executable(name: "plimsoll-bench-alerts", targets: ["plimsoll-bench-alerts"]),
        .executable(name: "generate-demo", targets: ["generate-demo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    ],
    targets: [
        curl, crypto,
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CBrotli", pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(name: "CPlatform"),
        .systemLibrary(
            name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .systemLibrary(
            name: "CCmark", pkgConfig: "libcmark", providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),

        // The C library of this system: what differs between systems is said in these two.
        module("Platform", ["CPlatform"]),
        module("Diagnostics"),
        strictModule("Cryptography", ["CCrypto"]),
        module("AppHealth", ["Cryptography", "Diagnostics"]),
        module("Files", ["Cryptography", "Diagnostics", "Platform"]),
        // The keys that a block of the configuration takes, for those who describe themselves and those who read them.
        module("Settings"),
        // The values that statistics give, for those that show them and compute none.
        module("Estimates"),
        module("Statistics", ["Estimates", "Platform"]),
        module("Formatting", ["AppHealth", "Estimates"]),
        strictModule("Markup", ["CCmark", "Diagnostics"]),
        strictModule("Templates", ["Markup", "Diagnostics"]),
        .target(
            name: "Transport",
            dependencies: [
                "CBrotli", "CCurl", "CZlib", "CZstd", "Diagnostics", "Files", "Platform",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            exclude: ["README.md"],
            swiftSettings: settings + [.strictMemorySafety()]),  // SE-0458, where C is called
        module("Tokens", ["Cryptography", "Transport", "Diagnostics"]),
        module(
            "Providers",
            ["Cryptography", "Tokens", "Transport", "Files", "Settings", "AppHealth", "Diagnostics"],
            exclude: ["README.md"]),
        module(
            "Publishing",
            [
                "Cryptography", "Files", "Platform", "Transport", "Settings", "Diagnostics",
            ], exclude: ["README.md"]),
        module(
            "Attaching",
            [
                "AppHealth", "Cryptography", "Files", "Publishing", "Transport", "Settings", "Markup",
                "Diagnostics",
            ], exclude: ["README.md"]),
        module(
            "Archive",
            [
                "AppHealth", "Diagnostics", "Files", "Platform",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        module("Analysis", ["Cryptography", "Statistics", "AppHealth", "Diagnostics"]),
        module("Charts", ["Formatting", "Estimates", "Markup", "AppHealth", "Diagnostics"]),
        module(
            "Pages",
            [
                "AppHealth", "Analysis", "Charts", "Estimates", "Formatting", "Settings", "Templates",
                "Markup",
                "Diagnostics",
            ]),
        module(
            "Configuration",
            [
                "Analysis", "AppHealth", "Diagnostics", "Markup", "Settings",
                .product(name: "Yams", package: "Yams"),
            ]),
        module(
            "Site",
            [
                "Configuration", "Cryptography", "Estimates", "Files", "Pages", "Platform", "Analysis",
                "Settings", "Templates", "Markup", "AppHealth", "Diagnostics",
            ]),
        strictModule(
            "SiteChecks", ["CExpat", "Files", "Platform", "Site", "Analysis", "Markup", "Diagnostics"]),
        module("Preview", ["Cryptography", "Files", "Platform", "Site", "Diagnostics"]),
        module(
            "PlimsollCommand",
            [
                "Analysis", "AppHealth", "Archive", "Attaching", "Configuration", "Cryptography",
                "Diagnostics", "Files", "Formatting", "Markup", "Pages", "Platform",
                "Preview", "Providers", "Publishing", "Settings",
                "Site", "SiteChecks", "Statistics", "Templates", "Tokens", "Transport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            files: [
                "archive.sh", "github-actions.yml", "gitlab-ci.yml", "plimsoll.cron", "plimsoll.service",
                "plimsoll.timer",
            ].map { "Schedules/Files/" + $0 }),
        .executableTarget(
            name: "plimsoll", dependencies: ["Platform", "PlimsollCommand"], swiftSettings: settings),

        // The demo data of Content/demo comes from here; the report itself never needs it.
        module("DemoStory", ["AppHealth"]),
        .executableTarget(name: "generate-demo", dependencies: ["DemoStory"], swiftSettings: settings),

        // What `make bench` runs.
        .executableTarget(
            name: "plimsoll-bench",
            dependencies: [
                "AppHealth", "Archive", "Charts", "Diagnostics", "Estimates", "Files", "Markup", "Pages",
                "Platform", "Providers", "Publishing", "Site", "Statistics", "Transport",
            ], exclude: ["README.md"],
            swiftSettings: settings),

        // What `make bench-alerts` runs.
        .executableTarget(
            name: "plimsoll-bench-alerts", dependencies: ["Statistics"], exclude: ["SCORE.md"],
            swiftSettings: settings),

        // A real HTTP server on loopback for the tests of Transport, Providers and the command.
        .target(
            name: "LoopbackServer",
            dependencies: [
                "Platform",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/LoopbackServer", swiftSettings: settings),

        tests(of: "Transport", ["Diagnostics", "LoopbackServer", "Platform"], exclude: ["http2_stub.py"]),
        tests(of: "Markup", ["Diagnostics"]),
        tests(of: "Templates", ["Markup", "Diagnostics"]),
        tests(of: "Statistics"),
        tests(of: "Formatting", ["AppHealth", "Estimates", "Statistics"]),
        tests(
            of: "Charts", ["Formatting", "Statistics", "Markup", "AppHealth", "SiteChecks"],
            exclude: ["Goldens"]),
        tests(of: "Archive", ["AppHealth", "Diagnostics", .product(name: "GRDB", package: "GRDB.swift")]),
        tests(of: "Configuration", ["Analysis", "AppHealth", "Diagnostics", "Providers", "Settings"]),
        tests(
            of: "Site",
            [
                "Analysis", "AppHealth", "Archive", "Cryptography", "Diagnostics", "Files", "Formatting",
                "HistoryFixtures", "Markup", "Pages", "Platform", "PrivateMounts", "SchemaCheck",
                "SiteChecks",
                "Templates",
            ], exclude: ["Goldens"]),
        tests(of: "SiteChecks", ["Analysis", "Diagnostics", "Site"]),
        tests(
            of: "PlimsollCommand",
            [
                "plimsoll", "AppHealth", "Archive", "Diagnostics", "Files", "LoopbackServer", "GoogleStub",
                "AppStoreConnectStub", "BigQueryEmulator", "ClickHouseServer", "Transport", "Analysis",
                "Configuration", "Markup",
                "Pages",
                "Attaching", "Platform", "Providers", "Publishing", "Settings",
                "SchemaCheck", "Site", "Templates", .product(name: "Yams", package: "Yams"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        tests(of: "Preview", ["LoopbackServer", "Platform"]),
        tests(
            of: "Publishing",
            [
                "Cryptography", "Diagnostics", "Files", "LoopbackServer", "Platform", "PrivateMounts",
                "Settings",
                "Transport",
            ],
            exclude: [
                "botocore_signature.py", "git_http.py", "moto_bucket.py", "sftp_cut.py", "swift_bucket.py",
            ]),
        tests(
            of: "Attaching",
            [
                "AppHealth", "Cryptography", "Diagnostics", "LoopbackServer", "Markup", "Publishing",
                "SchemaCheck", "Settings", "Transport",
            ], exclude: ["Contracts", "mail_server.py"]),
        .testTarget(name: "ArchitectureTests", swiftSettings: settings),
        tests(of: "DemoStory", ["AppHealth"]),
        // Small histories for the tests of Alerts and Pages.
        .target(
            name: "HistoryFixtures", dependencies: ["Analysis", "AppHealth", "Diagnostics"],
            path: "Tests/HistoryFixtures",
            swiftSettings: settings),
        tests(of: "Diagnostics"),
        tests(of: "AppHealth", ["Diagnostics"]),
        // What is found is recognized by the sentences of Pages.
        tests(of: "Analysis", ["AppHealth", "Diagnostics", "HistoryFixtures", "Statistics"]),
        tests(
            of: "Pages",
            [
                "Analysis", "AppHealth", "Charts", "Diagnostics", "Formatting", "HistoryFixtures", "Markup",
                "Statistics", "Templates",
            ]),
        // As much of JSON Schema as the schemas of this program use.
        .target(name: "SchemaCheck", path: "Tests/SchemaCheck", swiftSettings: settings),
        // Mounts that only the tests see.
        .target(name: "PrivateMounts", path: "Tests/PrivateMounts", swiftSettings: settings),
        // What OpenSSL says of the signatures that the program makes.
        .systemLibrary(
            name: "CLibcrypto", path: "Tests/CLibcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(
            name: "SignatureCheck", dependencies: ["CLibcrypto"], path: "Tests/SignatureCheck",
            swiftSettings: settings + [.strictMemorySafety()]),
        // A stand-in for Google's token server that checks assertions for real, with a key made for it alone.
        .target(
            name: "GoogleStub",
            dependencies: ["LoopbackServer", "SignatureCheck"], path: "Tests/GoogleStub",
            exclude: ["test-only-rsa-key.pem"], swiftSettings: settings),
        // A stand-in for App Store Connect that checks tokens for real, with a key made for it alone.
        .target(
            name: "AppStoreConnectStub",
            dependencies: ["Cryptography", "LoopbackServer", "SignatureCheck"],
            path: "Tests/AppStoreConnectStub", exclude: ["test-only-p256-key.pem"], swiftSettings: settings),
        // ClickHouse servers on loopback, old and current, where they are installed.
        .target(
            name: "ClickHouseServer", dependencies: ["LoopbackServer"], path: "Tests/ClickHouseServer",
            exclude: ["clickhouse_current.py"], swiftSettings: settings),
        // An emulator of BigQuery on loopback, where one is installed.
        .target(
            name: "BigQueryEmulator", dependencies: ["LoopbackServer"], path: "Tests/BigQueryEmulator",
            exclude: ["bigquery_emulator.py"], swiftSettings: settings),
        tests(
            of: "Tokens",
            [
                "AppStoreConnectStub", "Transport", "Diagnostics", "LoopbackServer", "GoogleStub",
                "SignatureCheck",
            ]),
        tests(of: "Cryptography", ["SignatureCheck"]),
        tests(
            of: "Providers",
            [
                "Tokens", "Transport", "AppHealth", "Diagnostics", "LoopbackServer", "GoogleStub",
                "AppStoreConnectStub", "BigQueryEmulator", "ClickHouseServer", "Settings",
            ],
            exclude: ["Fixtures", "RealServers"]),
    ],
    swiftLanguageModes: [.v6]
)

// What `make fuzz` runs; it needs the compiler's sanitizers, so no other build has it.
if Context.environment["PLIMSOLL_FUZZING"] != nil {
    package.targets += [
        .executableTarget(
            name: "plimsoll-fuzz",
            dependencies: [
                "Analysis", "AppHealth", "Charts", "Configuration", "Diagnostics", "Markup",
                "Platform", "Providers", "Site", "Templates", "Transport",
            ], path: "Tests/Fuzz/Targets", swiftSettings: settings)
    ]
    package.products.append(.executable(name: "plimsoll-fuzz", targets: ["plimsoll-fuzz"]))
}
