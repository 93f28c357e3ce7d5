import Testing

/// Foreign text that a page must survive is in the data.
struct HostileTextTests {
    private let titles = WrittenSnapshot.captured("sketchbook", "2026-11-13")?.issues.map(\.title) ?? []
    private let notes = WrittenSnapshot.captured("sketchbook", "2026-11-20")?.notes ?? []

    @Test(arguments: [
        "<script>alert(1)</script>", "| |---|:-:|", "`Palette.color(at:)`", "``` 31", "\u{202E}", "خطأ",
        "שכבה", "Layer",
        "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇯🇵🇧🇷",
    ])
    func titlesHold(_ text: String) {
        #expect(titles.contains { String.UnicodeScalarView($0.unicodeScalars).contains(text.unicodeScalars) })
    }

    @Test func oneTitleIsLongAndOneIsEmpty() {
        #expect(titles.map(\.count).max() == 300)
        #expect(titles.filter { $0.count == 300 && $0.unicodeScalars.count == 300 }.count == 1)
        #expect(titles.filter(\.isEmpty).count == 1)
    }

    @Test(arguments: ["<script>", "](javascript:", "<img src=x onerror=", "<table>"])
    func oneNoteHolds(_ text: String) {
        #expect(notes.filter { $0.text.contains(text) }.map(\.id) == ["n-205"])
    }

    @Test func notesAreWrittenWhenTheyMatter() {
        let subjects = notes.map { "\($0.at.prefix(10)) \($0.issue ?? $0.release ?? "app")" }
        #expect(
            subjects == [
                "2026-10-14 atomic-54", "2026-10-17 atomic-54", "2026-10-17 4.2.2", "2026-10-23 app",
                "2026-11-11 export-77", "2026-11-19 safari-1337",
            ])
    }
}
