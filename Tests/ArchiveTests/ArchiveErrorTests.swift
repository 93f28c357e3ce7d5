import AppHealth
import Diagnostics
import Foundation
import GRDB
import Testing

@testable import Archive

struct ArchiveErrorTests {
    @Test(arguments: [
        (ResultCode.SQLITE_CANTOPEN, "cannot-open"), (.SQLITE_BUSY, "busy"), (.SQLITE_BUSY_SNAPSHOT, "busy"),
        (.SQLITE_LOCKED, "busy"), (.SQLITE_CORRUPT, "corrupt"), (.SQLITE_NOTADB, "corrupt"),
        (.SQLITE_FULL, "full"), (.SQLITE_READONLY, "read-only"), (.SQLITE_READONLY_DBMOVED, "read-only"),
        (.SQLITE_IOERR, "io"), (.SQLITE_IOERR_WRITE, "io"), (.SQLITE_CONSTRAINT, "sqlite"),
    ])
    func resultCodesAreSorted(_ code: ResultCode, id: String) {
        let error = ArchiveError(
            DatabaseError(resultCode: code, message: "why", sql: "SELECT 'secret'"), path: "a")
        #expect(error.diagnostic.id == "archive." + id)
        #expect(!consoleText(of: error.diagnostic).contains("secret"))
    }

    @Test(arguments: [
        ArchiveError.missing(path: "a"), .cannotOpen(path: "a", reason: "why"), .held(path: "a", by: nil),
        .busy(path: "a"), .newerFormat(path: "a", migrations: ["addTides"]), .olderFormat(path: "a"),
        .unfinished(path: "a"), .notAnArchive(path: "a"), .corrupt(path: "a", reason: "why"),
        .full(path: "a"), .full(path: "a", lacksFiles: true), .crowded(path: "a", needed: 2, free: 1),
        .uncopied(path: "a", reason: nil, lacksFiles: true), .readOnly(path: "a"),
        .uncopied(path: "a", reason: nil),
        .uncopied(path: "a", reason: "why"),
        .unlockable(path: "a", number: 13), .unlockable(path: "a", number: 28),
        .unmerged(path: "a"), .interrupted(path: "a"), .inputOutput(path: "a", reason: "why"),
        .sqlite(path: "a", code: 19, reason: "why"),
    ])
    func everyErrorStatesWhereAndWhatToDo(_ error: ArchiveError) {
        let diagnostic = error.diagnostic
        #expect(diagnostic.location == .file(path: "a"))
        #expect(!diagnostic.hints.isEmpty)
        #expect(!diagnostic.summary.hasSuffix("."))
        #expect(!diagnostic.summary.contains("\n"))
    }

    /// A file system without inodes lets no journal be made; SQLite says that it cannot open a file, or "not an error".
    @Test(arguments: [
        (ResultCode.SQLITE_CANTOPEN, "unable to open database file"), (.SQLITE_CANTOPEN, "not an error"),
        (.SQLITE_IOERR, "not an error"), (.SQLITE_FULL, "database or disk is full"),
    ])
    func aFileSystemThatTakesNoMoreFilesIsNamed(code: ResultCode, message: String) {
        let refused = DatabaseError(resultCode: code, message: message)
        let place = NSTemporaryDirectory() + "none.sqlite"
        for (room, isNamed) in [
            (FreeRoom(bytes: 1 << 30, files: 0), true), (FreeRoom(bytes: 1 << 30, files: 3), true),
            (FreeRoom(bytes: 1 << 30, files: 4), false), (FreeRoom(bytes: 1 << 30, files: nil), false),
            (FreeRoom(bytes: 0, files: nil), false),
        ] {
            let error = ArchiveError(refused, path: place) { _ in room }
            let isFull = isNamed || room.bytes == 0 || code == .SQLITE_FULL
            #expect((error.diagnostic.id == "archive.full") == isFull, "\(room) \(error)")
            let words = error.diagnostic.summary + (error.diagnostic.details.joined())
            #expect(words.contains("no free inodes") == isNamed && !words.contains("not an error"))
            let copy = error.whileCopying(to: "copy") { _ in room }
            if isNamed { #expect(copy == .uncopied(path: "copy", reason: nil, lacksFiles: true)) }
        }
    }

    /// SQLite has no words for a write beyond the largest size of a file.
    @Test func aRefusalWithoutAReasonIsNoSuccess() {
        let refused = DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: "not an error")
        let details = ArchiveError(refused, path: "a").diagnostic.details
        #expect(details == ["a write was refused, as beyond the largest size of a file (ulimit -f)"])
    }

    /// As SQLite's check of a file says it.
    @Test(arguments: [
        ArchiveError.corrupt(path: "a", reason: "*** in database main ***\nOn tree page 96"),
        .inputOutput(path: "a", reason: "*** in database main ***\nOn tree page 96"),
    ])
    func aReasonOfSeveralLinesIsSeveralDetails(_ error: ArchiveError) {
        #expect(error.diagnostic.details == ["*** in database main ***", "On tree page 96"])
    }

    /// Of a copy, the copy has no room or may not be written, and not the archive.
    @Test(arguments: [
        (ArchiveError.full(path: "a"), ArchiveError.uncopied(path: "copy", reason: nil)),
        (.readOnly(path: "a"), .uncopied(path: "copy", reason: "the file or its folder may not be written")),
        (.cannotOpen(path: "a", reason: "why"), .uncopied(path: "copy", reason: "why")),
        (.corrupt(path: "a", reason: "why"), .corrupt(path: "a", reason: "why")),
        (.busy(path: "a"), .busy(path: "a")),
    ])
    func errorsOfACopyNameTheCopy(error: ArchiveError, expected: ArchiveError) {
        #expect(error.whileCopying(to: "copy") == expected)
    }

    @Test func holderIsNamed() {
        let holder = ArchiveHolder(processID: 4711, command: "fetch", since: Instant(secondsSinceEpoch: 0))
        let text = consoleText(of: ArchiveError.held(path: "a.sqlite", by: holder).diagnostic)
        #expect(
            text == """
                error: Archive is in use [archive.held]
                  at a.sqlite
                  held by plimsoll fetch, process 4711, since 1970-01-01T00:00:00Z
                  hint: wait, then retry
                """)
    }
}
