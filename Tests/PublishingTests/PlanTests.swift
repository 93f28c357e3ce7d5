import Diagnostics
import Files
import Foundation
import Testing

@testable import Publishing

struct PlanTests {
    private func file(_ path: String, _ content: String = "a") -> SiteFile {
        SiteFile(
            path: PublishedPath(path), size: content.utf8.count, sha256: contentHash(Array(content.utf8)))
    }

    private func last(_ files: [SiteFile], isComplete: Bool = true) -> LastPublication {
        let entries = files.map {
            ($0.path, PublicationManifest.Entry(size: $0.size, sha256: $0.sha256))
        }
        return LastPublication(
            PublicationManifest(
                isComplete: isComplete, at: "2026-11-19T06:00:00Z",
                files: Dictionary(uniqueKeysWithValues: entries)))
    }

    private func check(
        _ site: [String], over old: [String], sends: [PublishedPath], removes: [PublishedPath] = [],
        leaves: [PublishedPath] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        func files(_ names: [String]) -> [SiteFile] {
            names.map { name in
                let parts = name.split(separator: "=")
                return file(String(parts[0]), parts.count > 1 ? String(parts[1]) : "a")
            }
        }
        let plan = PublicationPlan(files(site), over: old.isEmpty ? nil : last(files(old)))
        #expect(plan.uploads.map(\.file.path) == sends, sourceLocation: sourceLocation)
        #expect(plan.removals == removes, sourceLocation: sourceLocation)
        #expect(plan.leaving == leaves, sourceLocation: sourceLocation)
    }

    @Test func sendsWhatChangedInOrder() {
        check(["a.html"], over: ["a.html"], sends: [])
        check(["a/b.html", "a/c.html=new"], over: ["a/b.html", "a/c.html"], sends: ["a/c.html"])
        check(
            [
                "assets/s.css", "feed.xml", "index.html", "manifest.json", "p/a.html", "p/chart.svg",
                "status.json",
            ], over: [],
            sends: [
                "assets/s.css", "p/chart.svg", "feed.xml", "status.json", "p/a.html", "index.html",
                "manifest.json",
            ])
        // What is new goes before what an old page could lead a reader away from.
        check(
            ["assets/s.css=2", "index.html=2", "p/new.html", "p/old.html=2", "p/new.svg"],
            over: ["assets/s.css", "index.html", "p/old.html"],
            sends: ["p/new.svg", "p/new.html", "assets/s.css", "p/old.html", "index.html"])
    }

    @Test func removesWhatTheSiteHasDropped() {
        check(["a.html"], over: ["a.html", "b.html", "c/d.svg"], sends: [], removes: ["b.html", "c/d.svg"])
        let sheet = "assets/s.0123456789.css"
        check(["a.html"], over: ["a.html", sheet], sends: [], leaves: [PublishedPath(sheet)])
        check(["a.html"], over: ["a.html", "assets/plain.css"], sends: [], removes: ["assets/plain.css"])
    }

    /// What cannot be next to a new file goes right before it, even what pages may still need.
    @Test func whatHasNoRoomGoesFirst() {
        let sheet = "assets/x/s.0123456789.css"
        let plan = PublicationPlan(
            ["a", "b/c/d.html", "b/e.css", "assets/x", "same/y", "same/z"].map { file($0) },
            over: last(
                ["a/1.html", "a/2/3.html", "b", sheet, "gone", "same/y", "same/y-old"].map { file($0) }))
        let leaving = PublishedPath(sheet)
        #expect(plan.removals == ["a/1.html", "a/2/3.html", leaving, "b", "gone", "same/y-old"])
        #expect(plan.leaving.isEmpty && plan.laterRemovals == ["gone", "same/y-old"])
        #expect(
            plan.batches.map { $0.map(\.file.path) } == [
                ["a", "b/e.css", "assets/x", "same/z"], ["b/c/d.html"],
            ])
        #expect(plan.batches.map(plan.displaced) == [["a/1.html", "a/2/3.html", leaving, "b"], ["b"]])
    }

    @Test func anAssetLeavesOnePublicationLater() {
        let sheet = "assets/s.0123456789.css"
        let first = PublicationPlan([file("a.html")], over: last([file("a.html"), file(sheet)]))
        let manifest = PublicationManifest(after: first, at: "2026-11-20T06:00:00Z")
        #expect(manifest.files[PublishedPath(sheet)]?.isLeaving == true && manifest.isComplete)
        let second = PublicationPlan([file("a.html")], over: LastPublication(manifest))
        #expect(second.removals == [PublishedPath(sheet)] && second.leaving.isEmpty)
        let back = PublicationPlan([file("a.html"), file(sheet)], over: LastPublication(manifest))
        #expect(back.removals.isEmpty && back.leaving.isEmpty)
    }

    @Test(arguments: [(10, 3, true), (10, 4, false), (3, 1, false), (1, 1, false), (0, 0, true)])
    func removalsAreGuarded(there: Int, gone: Int, isAdmitted: Bool) {
        let old = (0..<there).map { file("p\($0).html") }
        let plan = PublicationPlan(Array(old.dropFirst(gone)) + [file("new.html")], over: last(old))
        #expect(plan.removals.count == gone)
        #expect((plan.removalProblem(most: 30, at: "x") == nil) == isAdmitted)
        #expect(plan.removalProblem(most: 100, at: "x") == nil)
    }

    /// Sizes are those of the list at the target: any number may be written there.
    @Test(
        arguments: [
            ([], []), ([4, 4, 2, 1], [3, 1]), ([11, 1], [1, 1]), ([1, 11, 1], [1, 1, 1]),
            ([.max, .max, 0], [1, 1, 1]), ([0, 0, 10], [3]),
        ] as [([Int], [Int])])
    func droppedFilesAreComparedInSteps(row: (sizes: [Int], steps: [Int])) {
        let entries = row.sizes.enumerated().map { number, size in
            (PublishedPath("\(number)"), PublicationManifest.Entry(size: size, sha256: "00"))
        }
        let manifest = PublicationManifest(
            isComplete: true, at: "2026-11-19T06:00:00Z", files: Dictionary(uniqueKeysWithValues: entries))
        let plan = PublicationPlan([], over: LastPublication(manifest))
        let steps = plan.comparisons(of: entries.map(\.0) + ["theirs"], most: 10)
        #expect(steps.map(\.count) == row.steps)
        #expect(steps.flatMap(\.keys).sorted() == entries.map(\.0))
    }

    @Test func aFileThatIsServedOtherwiseIsSentAgain() {
        let plan = PublicationPlan([file("a.html")], over: last([file("a.html")])) { _ in "gzip" }
        #expect(plan.uploads.map(\.file.path) == ["a.html"] && !plan.isEmpty)
    }

    @Test func whatABrokenPublicationLeftIsSentAgain() {
        let plan = PublicationPlan([file("a.html"), file("b.html", "2")], over: last([file("a.html")]))
        var manifest = PublicationManifest(beginning: plan, at: "2026-11-20T06:00:00Z")
        #expect(manifest.files["b.html"]?.sha256 == nil && manifest.files["a.html"]?.sha256 != nil)
        let next = PublicationPlan([file("a.html")], over: LastPublication(manifest))
        #expect(next.removals == ["b.html"])
        manifest.note(plan.uploads[0])
        let same = PublicationPlan([file("a.html"), file("b.html", "2")], over: LastPublication(manifest))
        #expect(same.uploads.isEmpty && !same.isEmpty)
    }

    /// While it is not known which bytes are there, those of before and those that were sent are a publication's.
    @Test func aFileMayHaveTheBytesOfEachBrokenPublication() throws {
        var list = last([file("a.html", "1")]).manifest
        func check(_ texts: [String], _ isOurs: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
            for text in texts {
                let digest = file("a.html", text).sha256
                #expect(
                    list.files["a.html"]?.isOf(digest) == isOurs, "\(text)", sourceLocation: sourceLocation)
            }
        }
        check(["1"], true)
        check(["2", "theirs"], false)
        for number in 2...20 {
            let plan = PublicationPlan([file("a.html", "\(number)")], over: LastPublication(list))
            list = try PublicationManifest(PublicationManifest(beginning: plan, at: "x").bytes, at: "there")
            check(["1", "\(number - 1)", "\(number)"], true)
            check(["theirs"], false)
        }
        #expect(list.files["a.html"]?.possible.count == 8)
        // Of what an earlier version wrote nothing is known.
        list.files["a.html"] = .init(size: 1, sha256: nil)
        let plan = PublicationPlan([file("a.html", "2")], over: LastPublication(list))
        list = PublicationManifest(beginning: plan, at: "x")
        check(["1", "2", "theirs"], true)
    }

    /// What a publication did to a target before another one overtook it is sent or removed by the next.
    @Test func whatAnOvertakenPublicationDidIsUnproven() {
        let mine = [file("a.html", "1"), file("b.html", "1")]
        let theirs = [file("a.html", "2"), file("c.html", "2")]
        let own = PublicationManifest(after: PublicationPlan(mine, over: nil), at: "x")
        let other = PublicationManifest(after: PublicationPlan(theirs, over: nil), at: "x")
        let list = own.merged(into: other, sent: mine, removed: ["c.html", "d.html"])
        #expect(!list.isComplete && list.files["d.html"] == nil)
        let next = PublicationPlan(theirs, over: LastPublication(list))
        #expect(next.uploads.map(\.file.path) == ["a.html", "c.html"] && next.removals == ["b.html"])
        #expect(["1", "2"].allSatisfy { list.files["a.html"]?.isOf(file("a.html", $0).sha256) == true })
    }

    /// What never arrived is as new as before, also when the manifest was written and read again.
    @Test func aBrokenPublicationGoesOnInTheSameOrder() throws {
        let site = [file("index.html", "2"), file("p/new.html"), file("p/new.svg"), file("p/old.html", "2")]
        let first = PublicationPlan(site, over: last([file("index.html"), file("p/old.html")]))
        var manifest = PublicationManifest(beginning: first, at: "2026-11-20T06:00:00Z")
        manifest = try PublicationManifest(manifest.bytes, at: "there")
        let second = PublicationPlan(site, over: LastPublication(manifest))
        #expect(second.uploads == first.uploads && first.uploads.map(\.isNew) == [true, true, false, false])
        // What arrived is there, and what is to come is still new.
        manifest.note(first.uploads[0])
        let third = PublicationPlan(site, over: LastPublication(manifest))
        #expect(third.uploads == Array(first.uploads.dropFirst()))
        let changed = PublicationPlan([file("p/new.svg", "3")], over: LastPublication(manifest))
        #expect(changed.uploads.map(\.isNew) == [false])
        #expect(PublicationManifest(after: first, at: "x").files.values.allSatisfy { !$0.isAwaited })
    }

    private func check(
        _ there: [PublishedPath], under site: [String], over old: [String] = [],
        replaced: [PublishedPath] = [], blocking: [PublishedPath] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let plan = PublicationPlan(
            site.map { file($0) }, over: old.isEmpty ? nil : last(old.map { file($0, "old") }))
        let foreign = ForeignFiles(there, under: plan)
        #expect(foreign.replaced == replaced, sourceLocation: sourceLocation)
        #expect(foreign.blocking == blocking, sourceLocation: sourceLocation)
    }

    @Test func knowsWhatIsInTheWay() {
        check(["b.html", "theirs.txt"], under: ["a.html", "b.html"], replaced: ["b.html"])
        check(["a/b"], under: ["a/c.html"])
        check(["a"], under: ["a/b/c.html", "d.html"], blocking: ["a"])
        check(["a/b"], under: ["a/b/c.html"], blocking: ["a/b"])
        check(["a/z", "a/b/c"], under: ["a"], blocking: ["a/b/c", "a/z"])
        check(["ab/c", "a.html/d"], under: ["a", "a.htm"])
        check([PublicationManifest.path], under: ["a"])
        // What a publication put there may give way to what the next one has.
        check(["a"], under: ["a/b.html"], over: ["a"])
        check(["a/b.html"], under: ["a"], over: ["a/b.html"])
        check(["a/b.html", "a/theirs"], under: ["a"], over: ["a/b.html"], blocking: ["a/theirs"])
        // What is sent again has its place, unless someone took it for a folder.
        check(["a"], under: ["a"], over: ["a"])
        check(["a/theirs"], under: ["a"], over: ["a"], blocking: ["a/theirs"])
    }

    /// For `String` the two names are equal.
    @Test func namesOfOtherBytesAreOtherFiles() throws {
        let (composed, apart): (PublishedPath, PublishedPath) = ("p/\u{FC}.png", "p/u\u{308}.png")
        #expect(composed.text == apart.text && composed != apart && Set([composed, apart]).count == 2)
        #expect(apart < composed && !(composed < apart))
        check(["p/\u{FC}.png"], over: ["p/u\u{308}.png"], sends: [composed], removes: [apart])
        check(["p/\u{FC}.png", "p/u\u{308}.png"], over: [], sends: [composed, apart])
        check([apart], under: ["p/\u{FC}.png"])
        let both = PublicationManifest(
            isComplete: true, at: "",
            files: [composed: .init(size: 1, sha256: "01"), apart: .init(size: 2, sha256: nil)])
        #expect(try PublicationManifest(both.bytes, at: "x") == both)
    }

    /// A slash is one also where the next name begins with a mark that goes onto it.
    @Test func aSlashIsAByte() {
        let path: PublishedPath = "a/\u{308}b/\u{301}"
        #expect(path.folders == ["a/\u{308}b", "a"] && path.name == "\u{301}")
        #expect(!isSafePath("../\u{301}a") && !isSafePath("a/./\u{301}") && isSafePath("a/\u{301}"))
    }

    @Test(arguments: [
        ("assets/style.0a1b2c3d4e.css", true), ("assets/f/a.0a1b2c3d4e.woff2", true),
        ("assets/style.css", false), ("assets/style.0A1B2C3D4E.css", false),
        ("style.0a1b2c3d4e.css", false), ("assets/0a1b2c3d4e", false),
    ])
    func knowsFingerprints(path: String, isOne: Bool) {
        #expect(isFingerprinted(path) == isOne)
    }
}

struct PublicationManifestTests {
    /// Lines are written without an encoder where nothing needs an escape.
    @Test func linesAreAsAnEncoderWritesThem() throws {
        let paths = [
            "a", "a b/c.html", "q\"", "s\\t", "ü.html", "tab\t", "del\u{7F}", "a<&'>.css", "é\u{1F600}",
        ]
        for (number, path) in paths.enumerated() {
            let entry = PublicationManifest.Entry(
                size: number, sha256: number % 2 == 0 ? "0a" : nil,
                served: number % 3 == 0 ? "text/html" : "",
                isLeaving: number % 4 == 0, possible: number % 5 == 0 ? ["0b", "0c"] : [])
            var fields: [String: Any] = ["path": path, "size": number]
            fields["sha256"] = entry.sha256
            if !entry.served.isEmpty { fields["served"] = entry.served }
            if entry.isLeaving { fields["leaving"] = true }
            if !entry.possible.isEmpty { fields["possible"] = entry.possible }
            let line = try JSONSerialization.data(
                withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
            let text = String(
                decoding: PublicationManifest(isComplete: true, at: "", files: [PublishedPath(path): entry])
                    .bytes,
                as: UTF8.self)
            #expect(text.contains("[\n\(String(decoding: line, as: UTF8.self))\n]"), "\(path)")
        }
    }

    @Test(arguments: ["0a", "\"", nil])
    func isReadAsItWasWritten(run: String?) throws {
        var manifest = PublicationManifest(
            isComplete: false, at: "2026-11-20T06:00:00Z",
            files: [
                "a/\"ü\".html": .init(size: 3, sha256: "00", served: "text/html | gzip"),
                "b": .init(size: 0, sha256: nil, isAwaited: true, possible: ["0b", "0c"]),
                "c": .init(size: 1, sha256: "01", isLeaving: true),
            ])
        manifest.run = PublicationRun(id: run, site: "1b")
        manifest.project = manifest.run.map { PublishedProject(archive: $0.id, site: "2b", id: "shop-a_1.x") }
        #expect((manifest.run == nil) == (run != "0a"))
        #expect(try PublicationManifest(manifest.bytes, at: "x") == manifest)
    }

    @Test(arguments: [
        "", "{}", "[1]", #"{"format":"other","version":1,"complete":true,"at":"","files":[]}"#,
        #"{"format":"plimsoll-publication","version":1,"complete":true,"at":"","files":[{"path":"../a","size":1}]}"#,
        #"{"format":"plimsoll-publication","version":1,"complete":true,"at":"","files":[{"path":"/a","size":1}]}"#,
        #"{"format":"plimsoll-publication","version":1,"complete":true,"at":"","files":[{"path":"a//b","size":1}]}"#,
        #"{"format":"plimsoll-publication","version":1,"complete":true,"at":"","files":[{"path":"a\n","size":1}]}"#,
    ])
    func refusesWhatIsNone(text: String) async {
        let problem = await problem { _ = try PublicationManifest(Array(text.utf8), at: "x") }
        #expect(problem?.id == "publish.damaged-manifest" && problem?.hints.isEmpty == false)
    }

    /// What is written into the list again comes from outside.
    @Test(arguments: [("0a", "0a"), ("", nil), ("0A", nil), ("0a, 0b", nil)] as [(String, String?)])
    func aNameThatIsNoDigestIsNone(written: String, project: String?) throws {
        let text = """
            {"format":"plimsoll-publication","version":1,"complete":true,"at":"","project":"\(written)","files":[]}
            """
        #expect(
            try PublicationManifest(Array(text.utf8), at: "x").project
                == project.map { PublishedProject(archive: $0, site: nil) })
    }

    /// Archive and site of two lists: what is the same in one of them is of one project, and so is what is not known.
    @Test(
        arguments: [
            ("0a", "1a", "0a", "1a", false), ("0a", "1a", "0b", "1b", true), ("0a", "1a", "0a", "1b", false),
            ("0a", "1a", "0b", "1a", false), (nil, "1a", "0a", "1b", false), (nil, "1a", "0a", "1a", false),
            ("0a", nil, "0b", "1a", true), ("0a", nil, nil, "1a", false), (nil, nil, "0a", "1a", false),
        ] as [(String?, String?, String?, String?, Bool)])
    func projectsAreOthersOnlyForCertain(
        archive: String?, site: String?, otherArchive: String?, otherSite: String?, isOther: Bool
    ) {
        let project = PublishedProject(archive: archive, site: site)
        #expect(project.isOther(than: PublishedProject(archive: otherArchive, site: otherSite)) == isOther)
    }

    /// The ids of two projects with other archives, whether title and address are the same, and what is said where they
    /// are surely not one project.
    @Test(
        arguments: [
            ("a", "b", true, "that site is of the project 'b'; this one is 'a'"),
            ("a", "b", false, "that site is of the project 'b'; this one is 'a'"),
            ("a", "a", true, nil), ("a", "a", false, nil), ("a", nil, true, nil),
            ("a", nil, false, "that site was published with another archive, and has another title or url"),
            (nil, "b", true, "that site is of the project 'b'; this one has no 'id', and another archive"),
            (nil, "b", false, "that site is of the project 'b'; this one has no 'id', and another archive"),
            (nil, nil, true, nil),
        ] as [(String?, String?, Bool, String?)])
    func projectsOfOneTitleAreKnownByTheirIDs(id: String?, there: String?, isSameSite: Bool, said: String?)
        throws
    {
        var manifest = PublicationManifest(isComplete: true, at: "2026-11-20T06:00:00Z")
        manifest.project = PublishedProject(archive: "0b", site: isSameSite ? "1a" : "1b", id: there)
        let last = LastPublication(try PublicationManifest(manifest.bytes, at: "x"))
        let plan = PublicationPlan([], over: last, of: PublishedProject(archive: "0a", site: "1a", id: id))
        let problem = plan.projectProblem(at: "x")
        #expect(problem?.details == said.map { [$0] })
        let hint = there.map { "if it is the same project, write 'id: \($0)' at the top of plimsoll.yml" }
        let hasHint = problem?.hints.contains { $0 == hint } ?? false
        #expect(hasHint == (said != nil && there != nil))
        // What is published has the id of now.
        #expect(PublicationManifest(after: plan, at: "").project?.id == id)
    }

    /// Of the site of a project with an id, only the same archive shows that one without is the same.
    @Test(
        arguments: [
            (nil, "0a", nil, true), ("0a", nil, nil, true), (nil, nil, nil, true), (nil, "0a", "b", false),
            ("0a", "0a", nil, false),
        ] as [(String?, String?, String?, Bool)])
    func anArchiveThatIsNotKnownProvesNothing(
        archive: String?, there: String?, id: String?, isRefused: Bool
    ) throws {
        var manifest = PublicationManifest(isComplete: true, at: "2026-11-20T06:00:00Z")
        manifest.project = PublishedProject(archive: there, site: "1a", id: "b")
        let last = LastPublication(try PublicationManifest(manifest.bytes, at: "x"))
        let plan = PublicationPlan([], over: last, of: PublishedProject(archive: archive, site: "1a", id: id))
        #expect((plan.projectProblem(at: "x") != nil) == isRefused)
    }

    /// A new id protects a site from the next publication on, also where no file changed.
    @Test(
        arguments: [("a", "a", true), ("a", nil, false), (nil, "a", false), (nil, nil, true)]
            as [(String?, String?, Bool)])
    func aNewIDIsPublished(id: String?, there: String?, isEmpty: Bool) throws {
        var manifest = PublicationManifest(isComplete: true, at: "2026-11-20T06:00:00Z")
        manifest.project = PublishedProject(archive: "0a", site: "1a", id: there)
        let last = LastPublication(try PublicationManifest(manifest.bytes, at: "x"))
        let project = PublishedProject(archive: "0a", site: "1a", id: id)
        #expect(PublicationPlan([], over: last, of: project).isEmpty == isEmpty)
    }

    /// With one archive, an id may come and go, and two of them are two projects.
    @Test(
        arguments: [
            ("a", nil, false), (nil, "b", false), (nil, nil, false), ("a", "a", false), ("a", "b", true),
        ] as [(String?, String?, Bool)])
    func anIDMayComeAndGo(id: String?, there: String?, isOther: Bool) {
        let project = PublishedProject(archive: "0a", site: "1a", id: id)
        #expect(project.isOther(than: PublishedProject(archive: "0a", site: "1b", id: there)) == isOther)
    }

    @Test(arguments: ["", "a b", "a\\\"b", "\u{202E}a", String(repeating: "a", count: 81)])
    func anIDThatNoConfigurationHasIsNone(written: String) throws {
        let text = """
            {"format":"plimsoll-publication","version":1,"complete":true,"at":"","id":"\(written)","files":[]}
            """
        #expect(try PublicationManifest(Array(text.utf8), at: "x").project == nil)
    }

    @Test func refusesANewerOne() async {
        let text = #"{"format":"plimsoll-publication","version":2,"complete":true,"at":"","files":[]}"#
        let problem = await problem { _ = try PublicationManifest(Array(text.utf8), at: "x") }
        #expect(problem?.id == "publish.newer-manifest")
    }
}

struct SiteFolderTests {
    @Test func listsTheManifestAndWhatIsKept() throws {
        let folder = try TestFolder()
        let site = try folder.site(
            ["index.html": "a", "docs/x.txt": "kept", "CNAME": "host"], kept: ["docs", "CNAME", "none"])
        #expect(site.files.map(\.path) == ["CNAME", "docs/x.txt", "index.html", "manifest.json"])
    }

    /// A path that is named twice, also by a folder above it, is one; links and repositories of git are nothing of the site.
    @Test func whatIsKeptIsListedOnceAndLinksAreNotFollowed() throws {
        let folder = try TestFolder()
        let kept = ["CNAME", "docs", "docs/api", "CNAME"]
        _ = try folder.site(
            ["index.html": "a", "docs/x.txt": "kept", "docs/api/y.txt": "kept", "CNAME": "host"], kept: kept)
        try folder.write("outside/secret.txt", "mine")
        try folder.write("site/docs/.git/config", "theirs")
        for (name, place) in [("link.txt", "outside/secret.txt"), ("folder", "outside")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/site/docs/\(name)", withDestinationPath: "\(folder.path)/\(place)")
        }
        let site = try SiteFolder("\(folder.path)/site", kept: kept)
        let expected: [PublishedPath] = [
            "CNAME", "docs/api/y.txt", "docs/x.txt", "index.html", "manifest.json",
        ]
        #expect(site.files.map(\.path) == expected)
    }

    @Test(arguments: ["", "{}", #"{"format":"plimsoll-manifest","version":1,"files":[]}"#])
    func aSiteWithoutFilesIsNone(manifest: String) async throws {
        let folder = try TestFolder()
        if !manifest.isEmpty { try folder.write("manifest.json", manifest) }
        let problem = await problem { _ = try SiteFolder(folder.path) }
        #expect(["publish.no-site", "publish.manifest"].contains(problem?.id))
    }

    /// The same bytes in another file may have been others in between.
    @Test(
        arguments: [
            ([], nil), (["b"], "publish.site-changed"), (["b", "a"], "publish.site-changed"),
        ] as [([String], String?)])
    func whatIsLentStaysAsItIs(texts: [String], id: String?) async throws {
        let folder = try TestFolder()
        let site = try folder.site(["index.html": "a"])
        let place = "\(folder.path)/site/index.html"
        let problem = await problem {
            try await site.lend(site.files) { (path) async throws(Diagnostic) in
                #expect(path == "\(folder.path)/site")
                for text in texts {
                    rename(place, "\(folder.path)/before-\(text)")
                    try createLocalFile(place, Array(text.utf8))
                }
            }
        }
        #expect(problem?.id == id)
    }

    @Test func aFileThatChangedMeanwhileGetsNoSecondName() async throws {
        let folder = try TestFolder()
        let site = try folder.site(["index.html": "a"])
        let file = try #require(site.files.first { $0.path == "index.html" })
        let name = "\(folder.path)/name"
        #expect(try site.giveSecondName(name, to: file))
        unlink(name)
        try folder.write("site/index.html", "b")
        #expect(await problem { _ = try site.giveSecondName(name, to: file) }?.id == "publish.site-changed")
        #expect(fileKind(name) == .missing)
    }

    @Test(arguments: ["b", nil])
    func aFileThatChangedMeanwhileIsNotPublished(text: String?) async throws {
        let folder = try TestFolder()
        let site = try folder.site(["index.html": "a"])
        if let text {
            try folder.write("site/index.html", text)
        } else {
            try FileManager.default.removeItem(atPath: "\(folder.path)/site/index.html")
        }
        let outcome = await publishing(site, to: folderTarget("\(folder.path)/out", links: false))
        #expect(outcome.word == "publish.site-changed" && folder.tree("out").isEmpty)
    }
}
