import Analysis
import Files
import Testing

@testable import PlimsollCommand

/// What is next to an archive, or in it, and cannot be read now.
struct UnreadArchiveTests {
    /// Ids that anybody can make are no anonymous ids.
    @Test func anAudienceHasTheKeyOfTheArchiveOrNone() async throws {
        let folder = try Folder(copyOf: try await FirstNight.shared.folder)
        func project() throws -> Project {
            try loadProject(folder.path + "/plimsoll.yml", Console(), data: folder.path)
        }
        #expect(try project().keyed(Audience(.public)).key != Audience(.public).key)
        try folder.write("archive.sqlite", "damaged")
        #expect(throws: (any Error).self) { try project().keyed(Audience(.public)) }
        #expect(try project().keyed(Audience(.team)).key == Audience(.team).key)
        try removeFolder(folder.path + "/archive.sqlite")
        #expect(try project().keyed(Audience(.public)).key == Audience(.public).key)
    }

    /// A list that another publication is changing would lose what that one adds.
    @Test func theListOfPublicationsIsNotWrittenWhileAnotherHoldsIt() throws {
        let folder = try Folder()
        let archive = folder.path + "/archive.sqlite"
        let list = PublicationLedger.path(of: archive)
        let name = splitPath(list).name
        try folder.write(
            "other.sqlite.publications.json",
            """
            {"format":"plimsoll-publications","version":1,"publications":[
            {"at":"2026-11-19T06:00:00Z","failed":false,"target":"web"}
            ]}

            """)
        let other = PublicationLedger(nextTo: folder.path + "/other.sqlite")
        #expect(other.records.count == 1)
        do {
            let lock = try #require(try FileLock.acquire(list + ".lock"))
            withExtendedLifetime(lock) { other.add(to: archive, waiting: 0, Console()) }
            #expect(try !folder.names().contains(name))
        }
        other.add(to: archive, waiting: 0, Console())
        #expect(PublicationLedger(nextTo: archive).records == other.records)
    }
}
