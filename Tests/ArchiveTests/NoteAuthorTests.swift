import AppHealth
import Testing

@testable import Archive

/// Notes that were stored with what the service had of their author.
struct NoteAuthorTests {
    private static func snapshot(_ seconds: Int) -> Snapshot {
        .at(seconds) {
            $0.notes = ["anna@example.org", "Ben", "CI @ build-7", "@maria"].map { author in
                Note(id: author, at: .latest, author: author, text: "seen", subject: .day(day))
            }
        }
    }

    /// An address is read as the part before the sign, and is nothing new in the next night.
    @Test func anAddressIsReadAsAName() throws {
        let archive = try TemporaryFolder().archive()
        try archive.record(Self.snapshot(100))
        #expect(try Set(archive.known().notes.map(\.author)) == ["anna", "Ben", "CI @ build-7", "@maria"])
        let summary = try archive.record(Self.snapshot(200))
        #expect(summary.notes == 0 && summary.conflicts == 0)
    }
}
