import Alerts
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
        return LeakSearch(facts, ownText: "Meets target: the whole interval is at or above the target.")
    }()

    private func check(
        _ text: String, _ found: RedactionRule?, _ form: NumberForm = .text,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let leak = Self.search.leak(in: Array(text.utf8), form)
        #expect(leak?.fact.rule == found, "\(text)", sourceLocation: sourceLocation)
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
        check("1234567", nil)
        check("see APP-17.", .issueID)
        check("see APP-170", nil)
        check("href=\"https://vendor.example/issues/17\"", .link)
        check("A Harbour crash", nil)
        check("the whole interval is at", nil)
        check("waits for the vendor&#39;s fix of the long", nil)
        check("waits for the vendor's fix of the long li…", .mute)
    }

    @Test func countsAreFoundAsNumbers() {
        check("51,234 users", .count)
        check("51,234.5", nil)
        check("151,234", nil)
        check("51,2345", nil)
        check("51,234,999", nil)
        check("1,234,567", .count)
        check("0.51,234", nil)
        check("(51,234)", .count)
        check("M51234 10", nil)
        check("{\"users\":51234,\"x\":1}", .count, .mixed)
        check("{\"text\":\"51,234 users\"}", .count, .mixed)
        check("{\"rate\":0.51234}", nil, .mixed)
        check("2026-11-19,20417,7", .count, .cells)
        check("7,20417", .count, .cells)
        check("7,20,417", nil, .cells)
        check("0.20417", nil, .cells)
    }

    @Test func aLeakTellsItsLine() {
        let leak = Self.search.leak(in: Array("a\nb\nAtomic.swift".utf8), .text)
        #expect(leak?.line == 3)
        #expect(leak?.fact.app == "harbour")
    }
}
