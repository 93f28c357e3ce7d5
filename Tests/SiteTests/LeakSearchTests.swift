import Analysis
import Markup
import Testing

@testable import Site

/// What is found in the bytes of a file, and what is no leak.
struct LeakSearchTests {
    private static let search: LeakSearch = {
        var facts = SensitiveFacts()
        for (rule, text) in [
            (RedactionRule.title, "Index out of range in <Gallery> & \"Grid\""), (.title, "Freeze"),
            (.codePlace, "Atomic.swift"), (.codePlace, "/srv/build/App/Atomic.swift"), (.name, "Ada"),
            (.name, "May"), (.note, "Call the *vendor* before noon.\nok"), (.issueID, "1234567"),
            (.issueID, "APP-17"), (.link, "https://vendor.example/issues/17"), (.title, "Harbour crash"),
            (.title, "the whole interval is at"),
            (.mute, "waits for the vendor's fix of the long list of things"),
        ] {
            facts.texts.insert(SensitiveText(rule, text, app: "harbour"))
        }
        facts.known = ["The Harbour crash report"]
        facts.counts = [51_234, 1_234_567, 20_417]
        facts.smallCounts = [69, 1_204, 25, 20_000]
        return LeakSearch(
            facts, ownText: "Meets target: the whole interval is at or above the target. At least 25 users.")
    }()

    private func check(
        _ text: String, _ found: RedactionRule?, _ form: NumberForm = .text,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let leak = Self.search.leak(in: Array(text.utf8), form)
        #expect(leak?.fact.rule == found, "\(text)", sourceLocation: sourceLocation)
    }

    @Test func placesOfADrawingAreNoNumberWithSpaces() {
        check("<p>51 234 users</p>", .count)
        check("<path d=\"M51 234L3 4\"/>", nil)
        check("<p title=\"51,234 users\">", .count)
    }

    @Test func textsAreFoundInEveryLanguage() {
        check("nothing to see", nil)
        check("", nil)
        check("Ad", nil)
        check("<p>Index out of range in &lt;Gallery&gt; &amp; &quot;Grid&quot;</p>", .title)
        for language in [OutputLanguage.html, .xml, .markdown, .plain] {
            var writer = ByteWriter()
            writer.append("1. Index out of range in <Gallery> & \"Grid\".", escapedFor: language)
            check(writer.text, .title)
        }
        check("{\"title\":\"Index out of range in <Gallery> & \\\"Grid\\\"\"}", .title)
        check("Index out of range in the list", nil)
        check("see Atomic.swift line 54", .codePlace)
        check("AtomicAtomic.swiftly", nil)
        check("in /srv/build/App/Atomic.swift", .codePlace)
        check("by Ada.", .name)
        check("by Adam or Nevada", nil)
        check("on 3 May 2026", nil)
        check("a Freeze of things", nil)
        check("Call the vendor before noon. ok", .note)
        check("ok", nil)
        check("1234567", .count)
        check("1234568", nil)
        check("see APP-17.", .issueID)
        check("see APP-170", nil)
        check("href=\"https://vendor.example/issues/17\"", .link)
        check("A Harbour crash", nil)
        check("the whole interval is at", nil)
        check("v69 users", nil)
        check("waits for the vendor&#39;s fix of the long", nil)
        check("waits for the vendor's fix of the long li…", .mute)
    }

    @Test func textsAreFoundHoweverTheyAreWritten() {
        check("index OUT of range in &lt;gallery&gt; &amp; &#34;Grid&#x22;", .title)
        check("Index *out* of **range** in `<Gallery>` & \"Grid\"", .title)
        check("Index  out\n of\u{A0}range in <Gallery> & \"Grid\"", .title)
        check("<p>Index <b>out</b> of ran<wbr>ge in &lt;Gallery&gt; &amp; \"Grid\"", .title)
        check("?q=Index%20out%20of%20range%20in%20%3CGallery%3E%20%26%20%22Grid%22", .title)
        check("In\u{AD}dex out of ran\u{200B}ge in <Gallery> & \"Grid\"", .title)
        check("{\"a\":\"Index out\\nof range in \\u003cGallery> & \\\"Grid\\\"\"}", .title, .mixed)
        check("a,\"Index out of range in <Gallery> & \"\"Grid\"\"\"", .title, .cells)
        // The middle of a long text, and a name in small letters, which is a word.
        check("vendor's fix of the long list", nil)
        check("for the vendor's fix of the long list of things", .mute)
        check("by ada", nil)
        check("atomic.SWIFT", .codePlace)
    }

    /// A name in the place of the id of an issue is drawn at random and may begin with the digits of a count.
    @Test func digitsOfNamesAreNoCounts() {
        for form in [NumberForm.cells, .mixed] {
            check("a,apps/a/issues/1234567abcde/index.html", nil, form)
            check("\"Crash issue 1234567abcde\"", nil, form)
            check("1234567abcde", nil, form)
            check("“Crash issue 1234567abcde” is affecting 2%", nil, form)
            check("An issue in “Crash issue 1234567a…", nil, form)
            check("An issue in “Crash issue 1234567…", .count, form)
            check("1234567abcd", .count, form)
            check("1234567abcdez", .count, form)
            check("1234567,abcdefabcdef", .count, form)
            check("1234567 abcdefabcdef", .count, form)
            check("1234567users", .count, form)
        }
    }

    @Test func aLongTextIsFoundByItsParts() {
        var facts = SensitiveFacts()
        let text = (0..<12).map { "part \($0) of what was said, " }.joined()
        facts.texts.insert(SensitiveText(.note, text, app: nil))
        let search = LeakSearch(facts, ownText: "")
        for start in stride(from: 0, to: text.count - 80, by: 7) {
            let quote = text.dropFirst(start).prefix(80)
            #expect(search.leak(in: Array("So: \(quote)".utf8), .text)?.fact.rule == .note, "from \(start)")
        }
    }

    /// What strangers call their issues is looked for where the owner may have quoted it, and nowhere else.
    @Test(
        arguments: [
            (.title, "2026-11-19", "updated 2026-11-19"), (.title, "\"tables\"", "{\"tables\":{}}"),
            (.title, "Crash issue 1a2b3c4d", "<h1>Crash issue 1a2b3c4d</h1>"),
            (.title, "Below target. Crash-free", "Below target. Crash-free users"),
            (.name, "Friday", "updated on Friday"), (.name, "Release Verdict", "<h3>Release Verdict</h3>"),
            (.name, "iPhone", "iPhone,12%"), (.name, "Sentry", "<td>Sentry</td>"),
        ] as [(RedactionRule, String, String)])
    func textsOfStrangersBlockNothingTheSiteSaysItself(rule: RedactionRule, title: String, page: String) {
        var facts = SensitiveFacts()
        facts.texts.insert(SensitiveText(rule, title, app: "harbour"))
        let strict = LeakSearch(facts, ownText: "")
        func search(in texts: String..., own: Set<String> = []) -> LeakSearch {
            LeakSearch(facts, ownText: "", ownerTexts: OwnerTexts(texts, own: own))
        }
        let quote = "It was *\(title)*."
        #expect(strict.leak(in: Array(page.utf8), .text)?.fact.rule == rule)
        func found(_ search: LeakSearch) -> RedactionRule? {
            search.leak(in: Array(page.utf8), .text)?.fact.rule
        }
        #expect(found(search(in: "# About this site")) == nil)
        #expect(found(search(in: "# About", quote)) == rule)
        #expect(found(search(in: "# About\n\n\(quote)\n\nEnd.", own: ["# About", "End."])) == rule)
        // What the owner had written first is no quotation, nor is it when the passage changes, or one is added.
        #expect(found(search(in: "# About\r\n \t\r\n\(quote)\r\n", own: [quote])) == nil)
        #expect(found(search(in: "Now \(quote)", "New: \(quote)", own: [quote])) == nil)
    }

    @Test func countsAreFoundAsNumbers() {
        check("51,234 users", .count)
        check("51,234.5", nil)
        check("51 234 users", .count)
        check("51\u{202F}234 users", .count)
        check("51'234 users", .count)
        check("It was 51234.", .count)
        check("<path d=\"M 51234 7\">", nil)
        check("v51234", nil)
        check("151,234", nil)
        check("51,2345", nil)
        check("51,234,999", nil)
        check("1,234,567", .count)
        check("0.51,234", nil)
        check("(51,234)", .count)
        check("“51,234” users", .count)
        check("&ldquo;51,234&rdquo;", .count)
        check("1,000–51,234 users", .count)
        check("users—51,234", .count)
        check("51’234 users", .count)
        check("51–234", nil)
        check("99.51,234–99.7", nil)
        check("{\"text\":\"\\u201c51,234 users\\u201d\"}", .count, .mixed)
        check("M51234 10", nil)
        check("{\"users\":51234,\"x\":1}", .count, .mixed)
        check("{\"text\":\"51,234 users\"}", .count, .mixed)
        check("{\"rate\":0.51234}", nil, .mixed)
        check("2026-11-19,20417,7", .count, .cells)
        check("7,20417", .count, .cells)
        check("7,20,417", nil, .cells)
        check("0.20417", nil, .cells)
    }

    /// A point may be that of a fraction: without a word behind it the number is one of thousands where the owner wrote it.
    @Test(arguments: [
        ("We had 51.234 on that day.", true), ("It was 1.234.567.", true), ("51.234", true),
        ("<td>51.234</td>", true), ("![51.234 in all](a.png)", true), ("about 51.234,00", true),
        ("51.234%", false), ("51.234 %", false), ("51.234 pp", false), ("51.234×", false),
        ("51.2345", false), ("51.234.5", false), ("51.234,5", false), ("7.51.234", false),
        ("v51.234", false), ("51.235", false),
    ])
    func pointsOfTheOwnerSetOffThousands(text: String, isCount: Bool) {
        var facts = SensitiveFacts()
        facts.counts = [51_234, 1_234_567]
        func search(_ texts: String...) -> LeakSearch {
            LeakSearch(facts, ownText: "", ownerTexts: OwnerTexts(texts, own: [text]))
        }
        func leak(_ page: String, _ search: LeakSearch) -> RedactionRule? {
            search.leak(in: Array(page.utf8), .text)?.fact.rule
        }
        #expect(leak("<p>\(text)</p>", search("# A\n\n\(text)")) == (isCount ? .count : nil))
        // What the program writes is a fraction.
        #expect(leak("(51.234–51.9)", search("# A")) == nil)
        #expect(leak("at 51.234%", search("It was 51.234.")) == nil)
    }

    @Test func marksBetweenThousandsMakeNoDifference() {
        for text in [
            "51.234 users", "51.234 active users", "1.204 sessions", "1.204\u{A0}events", "51·234",
            "51·234 users",
            "51·234.", "1·204 users", "51,234.0", "51,234.00 users",
        ] { check(text, .count) }
        for text in [
            "51.234", "1.204", "1.2 users", "1.2045 users", "0.069 users", "1.204%", "51 · 234", "1·2 users",
            "151·234", "51,234.05", "51234.0",
        ] { check(text, nil) }
    }

    @Test func smallCountsAreFoundNextToWhatWasCounted() {
        check("69", nil)
        check("line 69", nil)
        check("69 users were hit", .count)
        check("<p>1,204 sessions</p>", .count)
        check("1,204\u{a0}events.", .count)
        check("{\"text\":\"20,000 daily users\"}", .count, .mixed)
        check("169 users", nil)
        check("2.69 users", nil)
        check("69 userspaces", nil)
        check("70 users", nil)
        check("25 users", nil)
        for text in [
            "1,204 Users today", "**1,204 USERS** yesterday", "1,204 active users", "1 204 events",
            "1\u{A0}204 Events", "1'204 sessions", "69 New Users", "69 daily active users.", "69 user-days",
            "69 crashed user-days", "69 total events", "69 users-to-be",
        ] { check(text, .count) }
        for text in [
            "1 2044 users", "1'2 users", "page 69\nUsers are counted", "69 Userspaces", "25 Users",
            "69 active volcanoes", "69 new",
        ] { check(text, nil) }
        check("page 69\nusers are counted", .count)
    }

    /// Capitals of every alphabet make no difference, but for names.
    @Test(arguments: [
        ("ОШИБКА ЗАГРУЗКИ ДОКУМЕНТА", "ошибка загрузки документа"),
        ("ÜBERLAUF BEIM ÖFFNEN", "überlauf beim öffnen"), ("überlauf beim öffnen", "ÜBERLAUF BEIM ÖFFNEN"),
        ("ΣΦΆΛΜΑ ΦΌΡΤΩΣΗΣ ΑΡΧΕΊΟΥ", "σφάλμα φόρτωσησ αρχείου"), ("LỖI KHI MỞ TẬP TIN", "lỗi khi mở tập tin"),
        ("Index out of range in Cache<U>.load", "Index out of range in `Cache<U>.load`"),
        ("Index out of range in Cache<U>.load", "Index out of range in Cache&lt;U&gt;.load"),
        ("Found nil in Pair<A, B>.first<i>.value", "found nil in Pair<A, B>.first<i>.value"),
    ])
    func capitalsAndGenericsHideNothing(title: String, quote: String) {
        var facts = SensitiveFacts()
        facts.texts.insert(SensitiveText(.title, title, app: nil))
        for form in [NumberForm.text, .aligned] {
            for owner in [nil, OwnerTexts(["Known: \(quote) is ours."])] {
                let search = LeakSearch(facts, ownText: "", ownerTexts: owner)
                let leak = search.leak(in: Array("<p>Known: \(quote) is ours.</p>".utf8), form)
                #expect(leak?.fact.rule == .title, "\(form)")
            }
        }
        facts.texts = [SensitiveText(.name, "Воля", app: nil)]
        let search = LeakSearch(facts, ownText: "")
        #expect(search.leak(in: Array("сила и воля".utf8), .text) == nil)
        #expect(search.leak(in: Array("сказала Воля".utf8), .text) != nil)
    }

    @Test func theEndOfALongTextIsFound() {
        var facts = SensitiveFacts()
        let title = "Unexpectedly found nil while unwrapping an Optional value at checkout step seve"
        facts.texts.insert(SensitiveText(.title, title, app: nil))
        let search = LeakSearch(facts, ownText: "")
        let quote = "Known: while unwrapping an Optional value at checkout step seve fails."
        #expect(search.leak(in: Array(quote.utf8), .text)?.fact.rule == .title)
    }

    private static func shown(_ titles: [String], owner: [String] = []) -> LeakSearch {
        var facts = SensitiveFacts()
        facts.counts = [51_234]
        facts.smallCounts = [437, 9]
        facts.known = Set(titles)
        return LeakSearch(facts, ownText: "", ownerTexts: OwnerTexts(owner))
    }

    private func found(_ search: LeakSearch, _ path: String, _ text: String) -> RedactionRule? {
        leak(in: Array(text.utf8), of: path, search, leavingOut: [.count])?.fact.rule
    }

    /// A title that is shown may look like a count; the same count elsewhere is found as ever.
    @Test(arguments: [
        (
            "Lost 437 events while syncing", "437 events", "a.html",
            "<p>“Lost 437 events while syncing” is new</p>"
        ),
        ("Lost 437 events while syncing", "", "a.html", "<b>Lost 437 events wh…</b>"),
        ("Row 51234", "51234", "data.csv", "title,x\r\nRow 51234,437\r\n"),
        ("Dropped 9 events", "9 events", "a.md", "| 1 | Dropped 9 events | – |"),
        ("Row 51,234 of 7", "51,234", "a.md", "- Row 51,234 of 7: new"),
        ("Row 51234 of 7", "51234", "data.json", "{\"title\":\"Row 51234 of 7\"}"),
        ("Users: 69", "", "a.md", "Users: 69\n=========\n"),
        (
            "Total", "", "a.html",
            "<table><tr><th scope=\"col\">Issue</th><th scope=\"col\">Rank</th></tr><tr><th scope=\"row\">Total</th><td>3</td></tr></table>"
        ),
        ("Total", "", "a.md", "| Issue | Rank |\n|---|---|\n| Total | 3 |\n"),
        ("- Total", "", "a.md", "| Issue | Rank |\n|---|---|\n| - Total | 3 |\n"),
        ("Daily", "", "a.md", "| App | Open alerts |\n|---|---|\n| Daily | 3 |\n"),
    ])
    func titlesThatAreShownAreNoCounts(title: String, count: String, path: String, page: String) {
        #expect(found(Self.shown([title]), path, page) == nil)
        #expect(found(Self.shown([]), path, page) == .count)
        guard !count.isEmpty else { return }
        // Elsewhere on the page, next to it, behind another beginning, and where the owner has it too.
        #expect(found(Self.shown([title]), path, page + "\n\n\(count)\n") == .count)
        #expect(found(Self.shown([title]), path, page.replacing(title, with: "More: \(count), so")) == .count)
        #expect(found(Self.shown([title], owner: ["# A\n\n\(count)\n"]), path, page) == .count)
    }

    @Test func labelsOfOtherTablesStayLabels() {
        let search = Self.shown(["Users", "Users: 70"])
        #expect(found(search, "a.md", "| Metric | Value |\n|---|---|\n| Users | 3 |\n") == .count)
        #expect(found(search, "a.md", "| Issue | Users |\n|---|---|\n| Users | 3 |\n") == .count)
        #expect(found(search, "a.md", "- Users: 71\n") == .count)
        #expect(found(Self.shown(["Users: 70"], owner: ["Users: 70"]), "a.md", "Users: 70\n") == .count)
        let row = "| Issue | Value |\n|---|---|\n| Users | 3 |\n"
        #expect(found(Self.shown(["Users"], owner: [row]), "a.md", row) == .count)
        // A bar that is escaped divides no cells.
        typed("index.md", "| Issue | Users |\n|---|--:|\n| a \\| 5 | – |\n", nil)
        typed("index.md", "| Issue | Users |\n|---|--:|\n| a \\| b | 4 |\n", .count, line: 3)
        typed("index.md", "| Issue | Users, lifetime |\n|---|--:|\n| a | 4 |\n", .count, line: 3)
    }

    /// In a table whose columns are aligned, two or more blanks are between cells; elsewhere they are one.
    @Test func cellsOfAlignedTablesAreNoNumbersTogether() {
        for text in [
            "51  234", "2026-11-51     234", "51\t\t234", "**51**  234", "a  51\n234  b",
            "a  51  \r\n234  b",
            "Halo 69  sessions  files", "Halo 69    users", "Halo 69 \t crashes",
        ] {
            check(text, nil, .aligned)
            check(text, .count, .text)
        }
        for text in [
            "51 234", "51\u{A0}234", "51,234", "51234", "  51,234 users", "69 users", "a  69 users  b",
            "69\nusers",
            "69\n   users", "- 1,204  \n  sessions", "69\u{A0}sessions", "151  51 234",
        ] { check(text, .count, .aligned) }
        check("Index  out   of range in <Gallery> & \"Grid\"", .title, .aligned)
        check("<path d=\"M51 234L3 4\"/>", nil, .aligned)
        check("In<b>d</b>ex out of range in &lt;Gallery&gt; &amp; \"Grid\"", .title, .aligned)
    }

    @Test(arguments: [
        ("apps/a/index.md", NumberForm.aligned), ("llms-full.txt", .aligned), ("index.html", .text),
        ("feed.xml", .text), ("data.csv", .cells), ("data.json", .mixed),
    ])
    func aFileWritesNumbersAsItsNameSays(path: String, form: NumberForm) {
        #expect(NumberForm(of: path) == form)
    }

    private func typed(
        _ path: String, _ text: String, _ found: RedactionRule?, line: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let leak = typedLeak(in: Array(text.utf8), of: path, leavingOut: [.count, .codePlace])
        #expect(leak?.fact.rule == found, "\(text)", sourceLocation: sourceLocation)
        if let leak { #expect(leak.line == line, "\(text)", sourceLocation: sourceLocation) }
    }

    @Test func placesForWhatIsHiddenAreEmpty() {
        let data = { (member: String) in
            "{\"format\":\"plimsoll-data\",\"tables\":{\"health\":[{\(member)}]}}"
        }
        typed("a/data.json", data("\"date\":\"2026-11-19\",\"users\":null,\"rate\":0.5"), nil)
        typed("a/data.json", data("\"users\":3"), .count)
        typed("a/data.json", data("\"stageOf\":0"), .count)
        typed("a/data.json", data("\"file\":\"A.swift\""), .codePlace)
        typed("data.csv", "date,users\r\n2026-11-19,\r\n", nil)
        typed("data.csv", "date,users\r\n2026-11-18,\r\n2026-11-19,7\r\n", .count, line: 3)
        for end in ["", "\n", "\r\n"] {
            typed("data.csv", "date,users\n2026-11-18,\n2026-11-19,7\(end)", .count, line: 3)
            typed("data.csv", "users\n412\(end)", .count, line: 2)
            typed("data.csv", "users\n\(end)", nil)
        }
        typed("data.csv", "title,users\na,\"7", .count, line: 2)
        typed("data.csv", "title,events\r\n\"a \"\"b\"\", c\",7\r\n", .count, line: 2)
        typed("data.csv", "title,line\r\na,7\r\n", .codePlace, line: 2)
        typed("chart-users.csv", "date,count\r\n2026-11-19,97\r\n", nil)
        typed("chart-users.csv", "date,count\r\n2026-11-19,197\r\n", .count, line: 2)
        let table = { (rows: String) in
            "<table><thead><tr><th scope=\"col\">Issue</th><th scope=\"col\">Users</th></tr><tbody>\(rows)</table>"
        }
        typed("index.html", table("<tr><th scope=\"row\">a</th><td>–</td></tr>"), nil)
        typed("index.html", table("<tr><th scope=\"row\">1</th><td>2.5%</td></tr>"), nil)
        typed("index.html", table("<tr><td>a<td><b>1,204</b>\n<tr><td>b<td>"), .count, line: 2)
        typed("index.html", "<table><tr><th scope=row>Sessions<td>12</table>", .count)
        typed(
            "index.html", "<dl><dt id=\"x\">Active users</dt>\n<dd class=\"value\">12</dd></dl>", .count,
            line: 2)
        typed(
            "index.html", "<dl><dt>Active users</dt><dd>not available</dd><dt>Rank</dt><dd>3</dd></dl>",
            nil)
        typed("index.md", "| # | Users |\n|---|--:|\n| 1 | – |\n", nil)
        typed("index.md", "| # | Users |\n|---|--:|\n| 1 | 4 |\n", .count, line: 3)
        typed("index.md", "| Figure | Value |\n|---|---|\n| Sessions | 12 |\n", .count, line: 3)
        typed("index.md", "a\n- **Total users:** 154\n", .count, line: 2)
        typed("index.md", "- Users: they are never added up\n", nil)
        typed("feed.xml", "<users>12</users>", nil)
    }

    @Test func whatIsNotHiddenIsNoLeak() {
        let bytes = Array("date,users\r\n2026-11-19,7\r\n".utf8)
        #expect(typedLeak(in: bytes, of: "data.csv", leavingOut: [.title]) == nil)
        #expect(typedLeak(in: bytes, of: "data.csv", leavingOut: []) == nil)
    }

    @Test func aLeakStatesItsLine() {
        let leak = Self.search.leak(in: Array("a\nb\nAtomic.swift".utf8), .text)
        #expect(leak?.line == 3)
        #expect(leak?.fact.app == "harbour")
    }
}
