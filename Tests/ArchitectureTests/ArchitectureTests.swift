import Foundation
import Testing

/// What the modules may import, read from their sources.
struct ArchitectureTests {
    /// The modules of the program that each module may use; the rest of the table is the absence of arrows.
    private static let uses: [String: Set<String>] = [
        "AppHealth": ["Cryptography", "Diagnostics"], "Files": ["Cryptography", "Diagnostics", "Platform"],
        "Cryptography": [],
        "Platform": [],
        "Settings": [], "Diagnostics": [],
        "Estimates": [],
        "Statistics": ["Estimates", "Platform"],
        "Transport": ["Diagnostics", "Files", "Platform"],
        "Tokens": ["Cryptography", "Transport", "Diagnostics"],
        "Providers": [
            "Cryptography", "Tokens", "Transport", "Files", "Settings", "AppHealth", "Diagnostics",
        ],
        "Archive": ["AppHealth", "Diagnostics", "Files", "Platform"],
        "Publishing": ["Cryptography", "Files", "Platform", "Transport", "Settings", "Diagnostics"],
        "Attaching": [
            "AppHealth", "Cryptography", "Files", "Publishing", "Transport", "Settings", "Markup",
            "Diagnostics",
        ],
        "Formatting": ["AppHealth", "Estimates"],
        "Analysis": ["Cryptography", "Statistics", "AppHealth", "Diagnostics"], "Markup": ["Diagnostics"],
        "Charts": ["Formatting", "Estimates", "Markup", "AppHealth", "Diagnostics"],
        "Pages": [
            "AppHealth", "Analysis", "Charts", "Estimates", "Formatting", "Settings", "Templates", "Markup",
            "Diagnostics",
        ],
        "Templates": ["Markup", "Diagnostics"],
        "Configuration": ["Analysis", "AppHealth", "Diagnostics", "Markup", "Settings"],
        "Site": [
            "Configuration", "Cryptography", "Estimates", "Files", "Pages", "Platform", "Analysis",
            "Settings",
            "Templates", "Markup", "AppHealth", "Diagnostics",
        ],
        "SiteChecks": ["Files", "Platform", "Site", "Analysis", "Markup", "Diagnostics"],
        "Preview": ["Cryptography", "Files", "Platform", "Site", "Diagnostics"],
        "PlimsollCommand": [
            "Files", "Platform", "Preview",
            "Analysis", "Statistics", "Diagnostics", "AppHealth", "Configuration", "Formatting", "Transport",
            "Providers",
            "Archive", "Pages",
            "Templates",
            "Site", "SiteChecks", "Markup", "Tokens", "Analysis", "Settings", "Publishing",
            "Attaching", "Cryptography",
        ],
        "plimsoll": ["Platform", "PlimsollCommand"],
        "plimsoll-bench": [
            "AppHealth", "Archive", "Charts", "Diagnostics", "Estimates", "Files", "Markup", "Pages",
            "Platform",
            "Providers", "Publishing", "Site", "Statistics", "Transport",
        ],
        "plimsoll-bench-alerts": ["Statistics"],
        "DemoStory": ["AppHealth"], "generate-demo": ["DemoStory"],
    ]

    /// The modules that come from elsewhere, with the only ones that may use them.
    private static let users: [String: Set<String>] = [
        "Yams": ["Configuration"], "CYaml": ["Configuration"], "GRDB": ["Archive"], "CCurl": ["Transport"],
        "CZlib": ["Transport"],
        "CBrotli": ["Transport"], "CZstd": ["Transport"],
        "CCmark": ["Markup"], "DequeModule": ["Transport"], "CExpat": ["SiteChecks"],
        "CCrypto": ["Cryptography"],
        "ArgumentParser": ["PlimsollCommand"], "FlyingFox": [], "FlyingSocks": [],
        "Foundation": [
            "Archive", "Attaching", "Files", "Preview", "Providers", "Publishing", "Tokens", "Transport",
            "Site", "SiteChecks",
            "PlimsollCommand", "DemoStory", "generate-demo",
            "plimsoll-bench", "plimsoll-bench-alerts",
        ],
        // What differs between systems is behind one door.
        "CPlatform": ["Platform"], "Glibc": ["Platform"], "Darwin": ["Platform"],
        "Synchronization": [
            "Archive", "Preview", "Publishing", "Transport", "Tokens", "Providers", "Site", "PlimsollCommand",
            "plimsoll-bench",
        ],
        "SQLite3": [], "GRDBSQLite": ["Archive"], "FoundationNetworking": [], "FoundationXML": [],
        "Dispatch": ["Site"],
    ]

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path

    private static let imports = Result { try found() }

    /// But for the doors to C, which only some may use.
    @Test func everyModuleIsInTheTable() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources)
            .filter { $0 != "README.md" && Self.users[$0] == nil }
        #expect(Set(folders) == Set(Self.uses.keys))
    }

    @Test func arrowsPointTheAllowedWay() throws {
        for one in try Self.imports.get() where Self.uses[one.name] != nil && one.name != one.module {
            #expect(Self.uses[one.module]?.contains(one.name) == true, "\(one.file) imports \(one.name)")
        }
    }

    @Test func whatComesFromElsewhereHasItsUsers() throws {
        for one in try Self.imports.get() where Self.uses[one.name] == nil {
            #expect(Self.users[one.name]?.contains(one.module) == true, "\(one.file) imports \(one.name)")
        }
    }

    /// What differs between systems is in Platform and its C door: no other code names one, and none calls what only one
    /// of them has.
    @Test func systemsAreKnownInOnePlace() throws {
        let words = [
            "os(Linux)", "os(macOS)", "canImport(Darwin)", "canImport(Glibc)", "SOCK_STREAM", "MSG_NOSIGNAL",
            "st_mtim", "st_ctim", "O_TMPFILE", "fdatasync", "inotify_", "epoll_", "pthread_create",
        ]
        for file in try Self.files() where !file.hasPrefix("Platform/") {
            for line in try Self.lines(of: file) where !line.drop(while: \.isWhitespace).hasPrefix("//") {
                #expect(!words.contains { line.contains($0) }, "\(file): \(line)")
            }
        }
    }

    /// The middle of the program knows no file, no clock, no environment and no locale.
    @Test(arguments: [
        "AppHealth", "Diagnostics", "Estimates", "Settings", "Statistics", "Formatting", "Analysis", "Markup",
        "Charts",
        "Pages", "Templates",
    ])
    func middleImportsNoSystem(module: String) throws {
        let system: Set = ["Foundation", "FoundationEssentials", "Platform", "Dispatch", "Synchronization"]
        for one in try Self.imports.get() where one.module == module {
            // The logarithm of the C library.
            if (one.module, one.name) == ("Statistics", "Platform") { continue }
            #expect(!system.contains(one.name), "\(one.file) imports \(one.name)")
        }
    }

    /// A page is made from the sections that its initializer names. The whole analysis is known to the place that hands
    /// them out, and to those that look up what is requested.
    @Test func wholeAnalysisIsKnownWherePagesAreComposed() throws {
        let composing: Set = [
            "Pages/Site/AppPages.swift", "Pages/Explain/ExplainedPages.swift", "Pages/Live/LiveBlocks.swift",
            "Pages/Live/LiveViews.swift", "Pages/Live/ContentProblems.swift",
        ]
        for file in try Self.files() where Self.module(of: file) == "Pages" {
            let names = try Self.lines(of: file).contains { $0.contains("AppAnalysis") }
            #expect(!names || composing.contains(file), "\(file)")
        }
    }

    @Test func nothingIsUncheckedAndNothingTraps() throws {
        let words = [" try! ", "fatalError(", " as! ", "preconditionFailure(", "assertionFailure("]
        for file in try Self.files() {
            for line in try Self.lines(of: file) where !line.drop(while: \.isWhitespace).hasPrefix("//") {
                #expect(!words.contains { line.contains($0) }, "\(file): \(line)")
                let isUnchecked = line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)")
                #expect(
                    !isUnchecked || ["Cryptography", "Transport", "Archive"].contains(Self.module(of: file)),
                    "\(file): \(line)")
            }
        }
    }

    /// What a diagnostic means for the run is its gravity; its id is for people who search.
    @Test func idsOfDiagnosticsAreNotRead() throws {
        let readings = [
            #".id.hasPrefix(""#, #".id.hasSuffix(""#, #".id.contains(""#, #".id == ""#, #".id != ""#,
            "error.id ==", "error.id !=", "failure.id ==", "failure.id !=", "diagnostic.id ==",
            "diagnostic.id !=",
        ]
        for file in try Self.files() {
            for line in try Self.lines(of: file) {
                #expect(!readings.contains { line.contains($0) }, "\(file): \(line)")
            }
        }
    }

    /// What a vendor is called and what its responses look like is known in Providers alone. A comment may cite a
    /// vendor's documentation as a source.
    @Test func vendorsAreNamedInProvidersOnly() throws {
        let vendors =
            #/(?i)bugsnag|sentry|metrickit|crashlytics|bugsink|glitchtip|\bplay\b|\bga4\b|socorro|clickhouse|bigquery|app ?store ?connect/#
        let free: Set = [
            "Providers", "DemoStory", "generate-demo", "plimsoll-bench", "plimsoll-bench-alerts",
        ]
        for file in try Self.files() where !free.contains(Self.module(of: file)) {
            for line in try Self.lines(of: file) where !line.drop(while: \.isWhitespace).hasPrefix("//") {
                #expect(line.firstMatch(of: vendors) == nil, "\(file): \(line)")
            }
        }
    }

    private struct Import: Sendable {
        let file: String
        let name: String
        var module: String { ArchitectureTests.module(of: file) }
    }

    private static func found() throws -> [Import] {
        try files().flatMap { file in
            // No import begins in another way, and a pattern takes long.
            try lines(of: file).filter { "@fip".utf8.contains($0.utf8.first ?? 0) }.compactMap { line in
                line.prefixMatch(
                    of: /(?:@\w+ )*(?:public |package |internal |private |fileprivate )?import (?:\w+ )?(\w+)/
                ).map {
                    Import(file: file, name: String($0.1))
                }
            }
        }
    }

    private static func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
            .sorted()
    }

    private static func lines(of file: String) throws -> [Substring] {
        try String(contentsOfFile: sources + "/" + file, encoding: .utf8).split(separator: "\n")
    }

    private static func module(of file: String) -> String {
        file.split(separator: "/").first.map(String.init) ?? file
    }
}
