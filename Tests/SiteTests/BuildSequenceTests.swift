import Analysis
import AppHealth
import Archive
import Diagnostics
import Files
import Foundation
import Pages
import Settings
import Testing

@testable import Site

/// A build that keeps pages of the one before writes the same bytes as one that makes every page.
struct BuildSequenceTests {
    /// How many sequences are tried; `PLIMSOLL_SEQUENCES` sets another number.
    private static let seeds =
        ProcessInfo.processInfo.environment["PLIMSOLL_SEQUENCES"].flatMap(UInt64.init) ?? 2

    /// Numbers from a seed (SplitMix64, G. Steele, D. Lea and C. Flood, OOPSLA 2014).
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// What may happen between two builds.
    private enum Step: CaseIterable {
        case nothing, later, nextDay, earlier, newDay, revision, lateDay, failure, future, ledger, theme,
            note,
            page, mute, target, audience, outputs, otherTitle, program, removedApp, deletedFiles,
            damagedRecord,
            lostRecord, group, ungrouped, publication
    }

    /// A project that changes from build to build, with a real archive.
    private struct World {
        let folder: TemporaryFolder
        let archive: Archive
        var dice: Dice
        var now = Instant(startOf: .last.advanced(by: 1)).advanced(bySeconds: 21_600)
        var asOf: Instant
        var captured: Instant
        var apps: [App] = [.harbour, .lantern]
        var targets = Targets.standard
        var title = "Quay"
        var program = "1"
        var audience = Audience.team
        var outputs = Outputs.all
        var mutes: [Mute] = []
        var publications: [PublicationState] = []
        var marks = 0
        /// The releases that a snapshot lists, where they are not those of the sample.
        var releases: [Release]?

        init(seed: UInt64) throws {
            folder = try TemporaryFolder()
            archive = try Archive(at: folder.path + "/archive", for: .writing)
            dice = Dice(state: seed)
            asOf = now
            captured = now.advanced(bySeconds: -3_600)
            try folder.write("Themes/own/theme.yml", "name: own\n")
            try folder.write("Themes/own/assets/own.css", "/* 0 */\n")
            try folder.write("content/notes/first.md", note("harbour", "Pier lamp 0 was loose"))
            for app in apps { try record(app, days: 12) }
        }

        /// Stores a snapshot of the last days, as a service would report them at an instant.
        mutating func record(_ app: App, days: Int, lacking: Int = 0) throws {
            var history = AppHistory.sample(app, days: 1).sources[0]
            let last = captured.date.advanced(by: -1 - lacking)
            var snapshot = Snapshot(app: app, source: history.source, capturedAt: captured)
            for age in (0..<days).reversed() {
                let (date, crashed) = (last.advanced(by: -age), Int.random(in: 20...90, using: &dice))
                snapshot.health.append(
                    HealthDay(
                        date: date, sessions: 20_000, crashedSessions: crashed, users: 9_000,
                        crashedUsers: crashed / 2))
                snapshot.issueDays.append(
                    IssueDay(issue: "issue-\(age % 3)", date: date, events: crashed, users: crashed / 2))
            }
            history.issues = history.issues.prefix(3).map { issue in
                var issue = issue
                (issue.firstSeen, issue.events) = (Instant(startOf: .last.advanced(by: -40)), marks + 50)
                return issue
            }
            snapshot.issues = history.issues
            snapshot.releases = releases ?? history.releases
            snapshot.notes = history.notes
            snapshot.coverage = CoveredFact.allCases.map {
                CoverageSpan($0, last.advanced(by: 1 - days)...last)
            }
            try archive.record(snapshot)
            captured = captured.advanced(bySeconds: 1)
        }

        func note(_ app: String, _ text: String) -> String {
            "---\napp: \(app)\nat: 2026-11-19T08:00:00Z\nby: crew\n---\n\(text)\n"
        }

        private func forward(_ seconds: Int) -> Instant { now.advanced(bySeconds: seconds) }

        mutating func take(_ step: Step) throws {
            marks += 1
            let app = apps.randomElement(using: &dice) ?? .harbour
            switch step {
            case .nothing: break
            case .later: (now, asOf) = (forward(600), forward(600))
            case .nextDay, .newDay:
                (now, asOf) = (forward(86_400), forward(86_400))
                if step == .newDay {
                    captured = now.advanced(bySeconds: -1_800)
                    for app in apps { try record(app, days: 3) }
                }
            case .earlier: asOf = now.advanced(bySeconds: -Int.random(in: 1...200_000, using: &dice))
            case .revision: try record(app, days: 4)
            case .lateDay: try record(app, days: 2, lacking: 9)
            case .failure:
                try archive.record(
                    failure: .error("a.b", "Cannot \(marks)"), app: app.id, source: Slug(anyText: "files"),
                    at: captured)
                captured = captured.advanced(bySeconds: 1)
            case .future:
                let present = captured
                captured = now.advanced(bySeconds: 1_200)
                try record(app, days: 2)
                captured = present
            case .ledger:
                try archive.record(
                    [
                        LedgerEntry(
                            id: "stability-\(marks)", app: app.id, rule: "stability", subject: "users",
                            firstDay: .last, lastDay: .last, raisedAt: now, state: .open, sentence: "s",
                            reportedSize: 0.1)
                    ], at: now)
            case .theme: try folder.write("Themes/own/assets/own.css", "/* \(marks) */\n")
            case .note:
                try folder.write("content/notes/first.md", note("harbour", "Pier lamp \(marks) was loose"))
            case .page: try folder.write("content/pages/guide.md", "---\ntitle: Guide \(marks)\n---\nText.\n")
            case .mute:
                mutes = [
                    Mute(
                        number: 0, .init(app: app.id), until: .init(date: now.date.advanced(by: marks % 4)),
                        by: "crew", why: "known", at: .file(path: "mutes.yml"))
                ]
            case .target:
                targets = targets == .standard ? Targets(target: 0.9, critical: 0.8) ?? .standard : .standard
            case .audience: audience = audience == .team ? Audience(.public) : .team
            case .outputs:
                outputs = Outputs([
                    .issue: [], .day: Set(PageOutput.allCases.shuffled(using: &dice).prefix(1)),
                ])
            case .otherTitle: title = "Quay \(marks)"
            case .program: program = "\(marks)"
            case .removedApp: apps = apps.count == 2 ? [.harbour] : [.harbour, .lantern]
            case .deletedFiles: try deleteSomeFiles()
            case .damagedRecord: try changeRecords { Data($0.reversed()) }
            case .lostRecord: try changeRecords { _ in nil }
            case .group:
                let place = Int.random(in: apps.indices, using: &dice)
                apps[place].group = ["Piers", "Lamps & <oil>", "7"].randomElement(using: &dice)
            case .ungrouped:
                for place in apps.indices { apps[place].group = nil }
            case .publication:
                publications = [
                    PublicationState(target: "host", publishedAt: now.advanced(bySeconds: -marks))
                ]
            }
        }

        private mutating func deleteSomeFiles() throws {
            let site = folder.path + "/site"
            let files = try folder.tree("site").keys.sorted().filter { $0 != SiteManifest.name }
            for _ in 0..<3 {
                guard let file = files.randomElement(using: &dice) else { return }
                try? FileManager.default.removeItem(atPath: "\(site)/\(file)")
            }
            if marks % 3 == 0 { try? FileManager.default.removeItem(atPath: "\(site)/\(SiteManifest.name)") }
        }

        private mutating func changeRecords(_ change: (Data) -> Data?) throws {
            let files = try folder.tree("kept").keys.sorted().map { "\(folder.path)/kept/\($0)" }
            guard let file = files.randomElement(using: &dice),
                let data = FileManager.default.contents(atPath: file)
            else { return }
            try FileManager.default.removeItem(atPath: file)
            try change(data)?.write(to: URL(fileURLWithPath: file))
        }

        /// Builds into a folder; the pages of the build before are kept in one of them only.
        func build(_ name: String, isKeeping: Bool) async throws -> SiteOutcome {
            let (content, problems) = ContentFolder.read(folder.path + "/content", apps: apps.map(\.id))
            #expect(!problems.contains { $0.severity == .error })
            let theme = try ThemeLayers(name: "own", roots: [folder.path + "/Themes", installedThemes])
            var facts = SiteFacts(
                title: title, asOf: asOf, isDemo: false, baseURL: nil, isIndexed: false, contentPages: [],
                audience: audience)
            facts.outputs = outputs
            var input = SiteInput(
                facts: facts, theme: theme, content: content, output: folder.path + "/" + name,
                apps: apps.map { ($0, targets) }, control: AlertControl(mutes: mutes), threads: 2)
            input.publications = publications
            input.outputPolicy.adopts = true
            // The report is also made for instants long ago.
            input.outputPolicy.loses = true
            let (archive, asOf) = (archive, asOf)
            let source = AppHistory.sample(.harbour, days: 1).sources[0].source
            input.keeping = BuildKeeping(
                folder: folder.path + "/kept", program: program, sources: [:], isFull: !isKeeping
            ) { try? archive.revision(of: $0.id, asOf: asOf) }
            return try await buildSite(input) { app throws(Diagnostics) in
                do throws(ArchiveError) {
                    return try archive.history(of: app, sources: [source], asOf: asOf).history
                } catch {
                    throw Diagnostics([error.diagnostic])
                }
            }
        }
    }

    @Test(arguments: 0..<BuildSequenceTests.seeds) func keepingPagesChangesNoByte(seed: UInt64) async throws {
        var world = try World(seed: seed)
        // Two sequences take every step together.
        var order = Dice(state: seed / 2)
        let half = Step.allCases.shuffled(using: &order).enumerated().filter {
            $0.offset % 2 == Int(seed % 2)
        }
        let steps = half.map(\.element) + [.nothing, .newDay, .later, .nothing]
        _ = try await world.build("site", isKeeping: true)
        for (number, step) in steps.enumerated() {
            try world.take(step)
            let kept = try await world.build("site", isKeeping: true)
            let whole = try await world.build("whole", isKeeping: false)
            let difference = try differences("site", "whole", world.folder)
            #expect(difference.isEmpty, "step \(number) of seed \(seed): \(step)")
            let (counts, expected) = (
                [kept.files, kept.pages, kept.bytes], [whole.files, whole.pages, whole.bytes]
            )
            #expect(counts == expected, "step \(number) of seed \(seed): \(step)")
            #expect(kept.failedChecks == whole.failedChecks)
            #expect(kept.noteProblems == whole.noteProblems)
            if !difference.isEmpty { return }
        }
    }

    private func differences(_ one: String, _ other: String, _ folder: TemporaryFolder) throws -> [String] {
        let (one, other) = (try folder.tree(one), try folder.tree(other))
        return Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }

    /// A release that turns out to have come out last is the newest on every page, also on those that are kept.
    @Test func anotherOrderOfReleasesChangesEveryPageOfThem() async throws {
        var world = try World(seed: 9)
        _ = try await world.build("site", isKeeping: true)
        let page = "apps/harbour/releases/index.md"
        let before = try #require(world.folder.tree("site")[page])
        #expect(before.contains("2 releases, latest 2.0 (7)."))
        world.releases = [
            Release(
                version: Version("2.0", build: "7"), releasedAt: Instant(startOf: .last.advanced(by: -9))),
            Release(version: Version("1.9"), releasedAt: Instant(startOf: .last.advanced(by: -1))),
        ]
        for app in world.apps { try world.record(app, days: 1) }
        _ = try await world.build("site", isKeeping: true)
        _ = try await world.build("whole", isKeeping: false)
        #expect(try differences("site", "whole", world.folder).isEmpty)
        let after = try #require(world.folder.tree("site")[page])
        #expect(after.contains("2 releases, latest 1.9."), "\(after)")
    }

    /// Where nothing at all changed no file is made again, and what the build said is said again.
    @Test func theSameSiteIsLeftAsItIs() async throws {
        var world = try World(seed: 9)
        let first = try await world.build("site", isKeeping: true)
        let (before, names) = (
            try nodes(world.folder),
            try FileManager.default.contentsOfDirectory(atPath: world.folder.path).sorted()
        )
        let second = try await world.build("site", isKeeping: true)
        #expect(try nodes(world.folder) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path).sorted() == names)
        #expect(
            first.apps == second.apps && first.files == second.files && first.pages == second.pages
                && first.bytes == second.bytes && first.noteProblems == second.noteProblems)
        for step in [Step.publication, .page, .later] {
            try world.take(step)
            _ = try await world.build("site", isKeeping: true)
            #expect(try nodes(world.folder) != before, "\(step)")
        }
    }

    /// A second build of the same makes no page below the folders of an app again: the files are the same ones.
    @Test func keptFilesAreTheSameFiles() async throws {
        var world = try World(seed: 9)
        _ = try await world.build("site", isKeeping: true)
        let before = try nodes(world.folder)
        try world.take(.later)
        _ = try await world.build("site", isKeeping: true)
        let after = try nodes(world.folder)
        let made = after.filter { before[$0.key] != $0.value }.keys.sorted()
        #expect(before.keys.sorted() == after.keys.sorted())
        #expect(made.allSatisfy { $0.split(separator: "/").count <= 3 }, "\(made)")
        #expect(made.count < before.count / 3)
    }

    /// A new day makes pages of that day, of what it changed and of lists: those of the past are the same files.
    @Test func pagesOfThePastAreTheSameFiles() async throws {
        var world = try World(seed: 9)
        _ = try await world.build("site", isKeeping: true)
        let before = try nodes(world.folder)
        try world.take(.nextDay)
        world.captured = world.now.advanced(bySeconds: -1_800)
        for app in world.apps { try world.record(app, days: 1) }
        _ = try await world.build("site", isKeeping: true)
        let after = try nodes(world.folder)
        let days = before.keys.filter { $0.contains("/days/") }
        let made = days.filter { before[$0] != after[$0] }
        // The day before the new one gets a link to it.
        #expect(
            Set(made.compactMap { $0.split(separator: "/").dropLast().last }).count <= 2, "\(made.sorted())")
        #expect(made.count < days.count / 4)
    }

    private func nodes(_ folder: TemporaryFolder) throws -> [String: UInt64] {
        let root = folder.path + "/site"
        return try Dictionary(
            uniqueKeysWithValues: folder.tree("site").keys.map { file in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(root)/\(file)")
                return (file, attributes[.systemFileNumber] as? UInt64 ?? 0)
            })
    }
}
