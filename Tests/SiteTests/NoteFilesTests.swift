import AppHealth
import Diagnostics
import Pages
import Testing

@testable import Site

struct NoteFilesTests {
    private let folder: TemporaryFolder
    private let apps = [App.harbour.id, App.lantern.id]

    init() throws { folder = try TemporaryFolder() }

    private func read() -> (ContentFolder, [Diagnostic]) {
        ContentFolder.read(folder.path + "/Content", apps: apps)
    }

    /// Front matter, and what the note is about.
    @Test(arguments: [
        ("app: harbour\nat: 2026-11-19\nby: Ana", Note.Subject.app),
        ("app: harbour\nat: 2026-11-19T07:30:00Z\nby: Ana\nissue: issue-0", .issue("issue-0")),
        ("app: harbour\nat: 2026-11-19\nby: Ana\nrelease: 2.0", .release("2.0")),
        ("app: harbour\nat: 2026-11-19\nby: Ana\ndate: 2026-11-18", .day(.last.advanced(by: -1))),
    ])
    func fileBecomesANote(front: String, subject: Note.Subject) throws {
        try folder.write("Content/notes/2026-why.md", "---\n\(front)\n---\nIt *fell*.\n")
        let (content, problems) = read()
        #expect(problems == [])
        let note = try #require(content.notes(of: App.harbour.id).first)
        #expect(note.id == "2026-why")
        #expect(note.author == "Ana")
        #expect(note.text == "It *fell*.\n")
        #expect(note.subject == subject)
        #expect(note.at.date.description == "2026-11-19")
        #expect(content.notes(of: App.lantern.id).isEmpty)
        #expect(content.pages.isEmpty)
    }

    /// Front matter, the expected `id:line:column`, and a word of the hint.
    @Test(arguments: [
        ("app: harbor\nat: 2026-11-19", "yaml.unknown-word:2:6", "harbour"),
        ("ap: harbour\nat: 2026-11-19\napp: harbour", "yaml.unknown-key:2:1", "app"),
        ("app: harbour", "content.missing-key", "at"),
        ("at: 2026-11-19", "content.missing-key", "app"),
        ("app: harbour\nat: yesterday", "content.bad-date:3:5", "2026-11-20"),
        ("app: harbour\nat: 2026-11-19\ndate: 2026-13-01", "content.bad-date:4:7", "2026-11-20"),
        ("app: harbour\nat: 2026-11-19\nissue: a\nrelease: b", "content.note-subject:5:10", "two notes"),
        ("app: harbour\nat: 2026-11-19\napp: harbour", "yaml.duplicate-key:4:1", "keep one"),
        ("app: harbour\nat: 2026-11-19\n\tby: Ana", "yaml.syntax:4:1", "indentation"),
    ])
    func mistakeIsReportedWithItsPlace(front: String, place: String, hint: String) throws {
        try folder.write("Content/notes/why.md", "---\n\(front)\n---\nWords.\n")
        let (content, problems) = read()
        let file = folder.path + "/Content/notes/why.md"
        let reported = problems.map { "\($0.id)" + ($0.location.map { "\($0)".dropFirst(file.count) } ?? "") }
        #expect(reported == [place])
        #expect(problems.allSatisfy { $0.hints.joined().contains(hint) })
        #expect(content.notes.isEmpty)
    }

    @Test func noteWithoutWordsIsReportedAndSoIsOneWithoutFrontMatter() throws {
        try folder.write("Content/notes/a.md", "---\napp: harbour\nat: 2026-11-19\n---\n \n")
        try folder.write("Content/notes/b.md", "Only words.")
        #expect(read().1.map(\.id) == ["content.empty-note", "content.missing-key", "content.missing-key"])
    }

    /// Of a note whose front matter cannot be read no key is said to be missing.
    @Test(arguments: [
        ("---\napp: harbour\nat: 2026-11-19\n", "content.front-matter"),
        ("---\n- app\n---\nWords.\n", "yaml.wrong-type"),
    ])
    func unreadableFrontMatterIsOneMistake(text: String, id: String) throws {
        try folder.write("Content/notes/a.md", text)
        #expect(read().1.map(\.id) == [id])
    }

    @Test func openBlockOfANoteIsReported() throws {
        try folder.write("Content/notes/a.md", "---\napp: harbour\nat: 2026-11-19\n---\nOne.\n\n```\na\n")
        let (content, problems) = read()
        #expect(content.notes.count == 1)
        #expect(problems.map(\.id) == ["content.open-block"])
        #expect(
            problems.first?.location
                == .file(path: folder.path + "/Content/notes/a.md", line: 7, column: 1))
    }

    private func built(_ facts: SiteFacts = .sample()) async throws -> (SiteOutcome, [String: String]) {
        let (content, problems) = read()
        #expect(problems == [])
        let outcome = try await build(
            sampleInput(folder.path + "/site", content: content, facts: facts))
        return (outcome, try folder.tree("site"))
    }

    @Test func notesAreWhereTheyBelong() async throws {
        let front = "---\napp: harbour\nat: \(CivilDate.last)\nby: A <i>\n"
        try folder.write("Content/notes/a.md", front + "---\nOf the app <script>x</script>.\n")
        try folder.write("Content/notes/b.md", front + "issue: issue-0\n---\nOf the issue.\n")
        try folder.write("Content/notes/c.md", front + "release: '2.0'\n---\nOf the release.\n")
        try folder.write("Content/notes/d.md", front + "date: \(CivilDate.last)\n---\nOf the *day*.\n")
        let (outcome, tree) = try await built()
        #expect(outcome.noteProblems == [])
        let app = "apps/harbour/"
        let day = "\(app)days/\(CivilDate.last)/"
        for (file, words) in [
            ("\(app)index.html", "Of the app"), ("\(app)issues/issue-0/index.html", "Of the issue."),
            ("\(app)releases/2.0/index.html", "Of the release."),
            ("\(app)releases/2.0/summary.md", "Of the release"), ("\(day)index.html", "Of the <em>day</em>."),
            ("\(day)index.md", "Of the day"), ("\(day)summary.md", "Of the day"),
            ("\(app)activity/index.html", "Of the <em>day</em>."), ("\(app)activity/index.md", "Of the app"),
            ("\(app)feed.xml", "added a note to release 2.0."),
        ] {
            #expect(tree[file]?.contains(words) == true, "\(file)")
        }
        for (file, text) in tree where file.hasSuffix(".html") || file.hasSuffix(".md") {
            #expect(!text.contains("<script"), "\(file)")
            #expect(!text.contains("A <i>"), "\(file)")
        }
        #expect(tree["apps/lantern/activity/index.html"]?.contains("Of the") == false)
    }

    /// A list of a note is one in Markdown, wherever the note is shown.
    @Test func listOfANoteIsAListInMarkdown() async throws {
        try folder.write(
            "Content/notes/a.md",
            "---\napp: harbour\nat: \(CivilDate.last)\ndate: \(CivilDate.last)\nby: Ana\n---\nSteps:\n\n1. *One*.\n2. Two.\n"
        )
        let (_, tree) = try await built()
        for (page, gap) in [
            ("days/\(CivilDate.last)/index.md", "\n"), ("days/\(CivilDate.last)/summary.md", ""),
            ("activity/index.md", "\n"),
        ] {
            let text = tree["apps/harbour/" + page] ?? ""
            #expect(text.contains("Steps:\n\(gap)  1. One.\n  2. Two.\n"), "\(page): \(text)")
        }
        #expect(
            tree["apps/harbour/days/\(CivilDate.last)/index.html"]?.contains("<li><em>One</em>.</li>") == true
        )
    }

    /// A note is shown at several depths: its links are counted from its file.
    @Test func linksOfANoteLeadToThePageFromEveryPlace() async throws {
        try folder.write("Content/guide.md", "# Guide")
        try folder.write("Content/team/index.md", "# Team")
        try folder.write(
            "Content/notes/a.md",
            """
            ---
            app: harbour
            at: \(CivilDate.last)
            issue: issue-0
            ---
            See [one](../guide.md#signs), [two](../team/index.md), [map](../pictures/map.png), [far][far].

            Or [three](../guide%2Emd#codes), [four](../guide&#46;md#entities).

            [far]: https://example.com/guide.md
            """)
        let (_, tree) = try await built()
        let issue = "apps/harbour/issues/issue-0/"
        for (page, root) in [
            (issue, "../../../../"), ("apps/harbour/activity/", "../../../"),
            ("apps/harbour/days/\(CivilDate.last)/", "../../../../"),
        ] {
            for address in [
                "\(root)guide/index.html#signs", "\(root)team/index.html", "\(root)pictures/map.png",
                "\(root)guide/index.html#codes", "\(root)guide/index.html#entities",
                "https://example.com/guide.md",
            ] {
                #expect(
                    tree[page + "index.html"]?.contains("href=\"\(address)\"") == true, "\(page) \(address)")
            }
        }
        #expect(tree[issue + "index.md"]?.contains("See one, two, map, far.") == true)
    }

    /// The links of a note with the line on which one leads nowhere; nil where all lead somewhere.
    @Test(arguments: [
        ("[a](../gide%2Emd)", 5), ("[a](../gide&#46;md)", 5),
        ("[a](../guide%2Emd) [b](../guide&#46;md)", nil),
        ("[a](../gide.md)", 5), ("One\n[b](other.md)", 6), ("[up](../../../guide/index.html)", 5),
        ("[a](../guide.md) [b](#top) [c](/x.md) [d](mailto:a@b.c) `[e](no.md)`", nil),
    ])
    func linkOfANoteThatLeadsNowhereIsReported(text: String, line: Int?) throws {
        try folder.write("Content/guide.md", "# Guide")
        try folder.write("Content/notes/a.md", "---\napp: harbour\nat: 2026-11-19\n---\n\(text)\n")
        let (content, problems) = read()
        #expect(content.notes.count == 1)
        #expect(problems.map(\.id) == (line == nil ? [] : ["content.note-link"]))
        #expect(problems.allSatisfy { $0.severity == .warning })
        #expect(
            problems.first?.location
                == line.map { Location.file(path: folder.path + "/Content/notes/a.md", line: $0) })
    }

    @Test func noteIsNotShownBeforeItWasWritten() async throws {
        try folder.write(
            "Content/notes/a.md",
            "---\napp: harbour\nat: \(CivilDate.last)T12:00:00Z\nissue: nowhere\n---\nLater.\n")
        let early = SiteFacts.sample {
            $0.asOf = Instant(startOf: .last).advanced(bySeconds: 12 * 3600 - 1)
        }
        let (before, old) = try await built(early)
        #expect(before.noteProblems == [])
        #expect(!old.values.contains { $0.contains("Later.") })
        let (after, new) = try await built()
        #expect(new["apps/harbour/activity/index.html"]?.contains("Later.") == true)
        #expect(after.noteProblems.map(\.id) == ["content.unknown-issue"])
        #expect(after.noteProblems.map(\.severity) == [.warning])
        #expect(
            after.noteProblems.map(\.location)
                == [.file(path: folder.path + "/Content/notes/a.md", line: 4, column: 8)])
    }

    @Test func idOfANoteIsItsFile() async throws {
        func ids() async throws -> [String] {
            let feed = try await built().1["apps/harbour/feed.xml", default: ""]
            return feed.matches(of: /<id>([^<]*new-note[^<]*)<\/id>/).map { String($0.1) }
        }
        try folder.write("Content/notes/a.md", "---\napp: harbour\nat: \(CivilDate.last)\n---\nOne.\n")
        let first = try await ids()
        try folder.write(
            "Content/notes/a.md", "---\napp: harbour\nat: \(CivilDate.last)\n---\nOther words.\n")
        try folder.write("Content/notes/0.md", "---\napp: harbour\nat: \(CivilDate.last)\n---\nZero.\n")
        let second = try await ids()
        #expect(Set(second).isSuperset(of: first))
        #expect(second.count == first.count + 1)
    }
}
