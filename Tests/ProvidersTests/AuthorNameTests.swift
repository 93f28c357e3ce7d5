import AppHealth
import Foundation
import Testing

@testable import Providers

/// Who wrote a note: a name, never an address.
struct AuthorNameTests {
    private static let names: [(String?, String)] = [
        ("Alice Smith", "Alice Smith"), ("alice.smith@example.com", "alice.smith"),
        ("Alice Smith <alice@example.com>", "Alice Smith"), ("<alice@example.com>", "alice"),
        ("@alice", "alice"), ("", ""), (nil, ""),
    ]

    @Test(arguments: names) func ofAnAddressThePartBeforeTheSign(text: String?, expected: String) {
        #expect(authorName(text) == expected)
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// Each service gives an address where a person set no name.
    @Test func ofEveryService() throws {
        let (address, time) = ("alice.smith@example.com", "2026-11-19T05:07:55Z")
        let bugsink = try decoded(
            BugsinkHistoryEntry.self,
            #"{"id":1,"timestamp":"\#(time)","user_display_name":"\#(address)","comment":"Seen"}"#)
        let bugsnag = try decoded(
            BugsnagComment.self,
            #"{"id":"c","message":"Seen","created_at":"\#(time)","collaborator":{"name":"\#(address)"}}"#)
        let crashlytics = try decoded(
            CrashlyticsNotes.Note.self,
            #"{"name":"n/1","author":"\#(address)","body":"Seen","createTime":"\#(time)"}"#)
        let sentry = try ["name", "username", "email"].map { key in
            try decoded(
                SentryAPINote.self,
                #"{"type":"note","id":"1","dateCreated":"\#(time)","data":{"text":"Seen"},"user":{"\#(key)":"\#(address)"}}"#
            )
        }
        let found =
            [note(bugsink, on: "i"), note(bugsnag, on: "i"), crashlyticsNote(crashlytics, on: "i")]
            + notes(sentry, on: "i")
        #expect(found.map { $0?.author } == Array(repeating: "alice.smith", count: 6))
    }
}
