import AppHealth
import Archive
import Diagnostics
import Files
import Foundation
import Pages
import Providers
import Site
import Transport

/// Measures a build of many apps against the bare writing of the same bytes, in one run.
enum PagesBench {
    static func run(_ folder: String) async throws {
        let root = FileManager.default.currentDirectoryPath
        let histories = try await demoHistories(root, archive: folder + "/archive.sqlite")
        let apps = (0..<12).flatMap { copy in histories.map { renamed($0, copy) } }
        var builds: [Double] = []
        var bare: [Double] = []
        var outcome: SiteOutcome?
        for _ in 0..<5 {
            var built: SiteOutcome?
            builds.append(try await seconds { built = try await build(apps, root, folder + "/site") })
            outcome = built
            bare.append(try copySeconds(from: folder + "/site", to: folder + "/bare"))
        }
        guard let outcome else { return }
        report(outcome, median(builds), median(bare), folder)
    }

    private static func report(_ outcome: SiteOutcome, _ build: Double, _ bare: Double, _ folder: String) {
        let megabytes = Double(outcome.bytes) / 1e6
        print(
            "build of \(outcome.pages) pages in HTML and Markdown, \(outcome.files) files, medians of 5, in \(folder)"
        )
        line("wall time", build, "s")
        line("pages", Double(outcome.pages) / build, "pages/s")
        line("bytes", megabytes / build, "MB/s")
        line("bare writing of the same files", bare, "s")
        line("ratio to the bare writing", build / bare, "×")
    }
}

/// The demo's histories, through the real fetch stage and a real archive.
private func demoHistories(_ root: String, archive path: String) async throws -> [AppHistory] {
    var options = Client.Options(version: "bench")
    options.allowsFiles = true
    let client = Client(options)
    let now = Instant(secondsSinceEpoch: 1_795_156_200)
    let archive = try Archive(at: path, for: .writing)
    var histories: [AppHistory] = []
    for name in ["lighthouse", "sketchbook", "tidepool"] {
        let app = App(id: Slug(anyText: name), name: name)
        let provider = FilesProvider(try FilesConfiguration(root + "/Content/demo/data"), sender: client)
        for snapshot in await provider.fetch(app, at: now).snapshots { try archive.record(snapshot) }
        histories.append(try archive.history(of: app, sources: [provider.source], asOf: now).history)
    }
    await client.close()
    return histories
}

/// The history under another name, so that a site has many apps.
private func renamed(_ history: AppHistory, _ copy: Int) -> AppHistory {
    var history = history
    history.app.id = Slug(anyText: "\(history.app.id)-\(copy)")
    return history
}

private func build(_ histories: [AppHistory], _ root: String, _ output: String) async throws -> SiteOutcome {
    let byID = Dictionary(histories.map { ($0.app.id, $0) }, uniquingKeysWith: { first, _ in first })
    let facts = SiteFacts(
        title: "Bench", asOf: Instant(secondsSinceEpoch: 1_795_156_200), isDemo: true, baseURL: nil,
        isIndexed: false,
        contentPages: [])
    let input = SiteInput(
        facts: facts, theme: try ThemeLayers(name: "default", roots: [root + "/Themes"]),
        content: ContentFolder(),
        output: output, apps: histories.map { ($0.app, Targets.standard) },
        threads: ProcessInfo.processInfo.activeProcessorCount)
    return try await buildSite(input) { app throws(Diagnostics) in
        byID[app.id] ?? AppHistory(app: app, sources: [])
    }
}

/// How long it takes to write the files of a folder to another, when their bytes are in memory already.
private func copySeconds(from source: String, to target: String) throws -> Double {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: source).sorted()
    let files = try paths.filter { pathKind(source + "/" + $0) == .file }.map {
        ($0, try readFile(source + "/" + $0))
    }
    try? FileManager.default.removeItem(atPath: target)
    return try seconds {
        for (path, bytes) in files {
            let whole = target + "/" + path
            do {
                try writeFile(whole, bytes)
            } catch {
                try makeFolder(String(whole[..<(whole.lastIndex(of: "/") ?? whole.endIndex)]))
                try writeFile(whole, bytes)
            }
        }
    }
}
