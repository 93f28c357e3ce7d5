import AppHealth
import GRDB
import Testing

@testable import Archive

/// What the archive remembers of the owner's passages.
struct PassageTests {
    @Test func passagesAreKeptAndReplaced() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try archive.passages() == KnownPassages())
        let first = KnownPassages(own: ["a", "b\nb ü '", ""], quoting: ["c"])
        try archive.keep(first)
        #expect(try archive.passages() == first)
        let second = KnownPassages(own: ["a", "c"], quoting: ["d"])
        try archive.keep(second)
        try archive.close()
        let reading = try Archive(at: folder.archivePath, for: .reading)
        #expect(try reading.passages() == second)
        #expect(throws: ArchiveError.readOnly(path: folder.archivePath)) { try reading.keep(first) }
    }

    @Test func rowsThatCannotBeUnderstoodAreLeftOut() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.write { database in
            try database.execute(
                sql: "INSERT INTO passage VALUES ('own', 0), ('odd', 7), ('text', 'x'), (x'ff', 0)")
        }
        #expect(try archive.passages().own.contains("own") && archive.passages().quoting.isEmpty)
        #expect(try archive.passages().own.isDisjoint(with: ["odd", "text"]))
    }
}
