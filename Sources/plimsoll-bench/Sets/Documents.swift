import Files
import Foundation
import Site

/// The small snapshot files that the measurements fetch: about 3 kB each.
enum Documents {
    /// How many there are.
    static let count = 2_000
    /// How many apps they are about.
    private static let apps = 20

    /// The app of a document.
    static func app(of number: Int) -> String { "app-\(number % apps)" }

    /// Writes them to a folder, named by their numbers.
    static func write(to folder: String) throws {
        try makeFolder(folder)
        for number in 0..<count {
            try writeFile("\(folder)/\(number).json", Array(text(of: number).utf8))
        }
    }

    /// One issue of an app with its last 14 days and a note, captured on one of many nights.
    ///
    /// Two weeks lie between the nights of an app: otherwise each night would also take back the days of the issue before,
    /// which it no longer names, and half of what is measured would be that.
    static func text(of number: Int) -> String {
        let night = number / apps * 14
        let issue = "issue-\(number)"
        let days = (0..<14).map { day in
            let events = 40 + (number * 31 + day * 977) % 500
            return """
                {"date":"\(Self.day(after: night + day))","events":\(events),\
                "users":\(events / 2)}
                """
        }
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"\(app(of: number))",\
            "capturedAt":"\(day(after: night + 14))T06:00:00Z",\
            "source":{"name":"Bench","session":"A start.","user":"An installation.","zone":"UTC","delay":"None."},\
            "provides":["issues","issueDays","notes"],\
            "issues":[{"id":"\(issue)","title":"Index out of range in sheet \(number)","kind":"crash",\
            "state":"open","file":"Sources/Sheet/Page\(number % 90).swift","line":\(number % 900),\
            "firstSeen":"\(day(after: night))T09:30:00Z","lastSeen":"\(day(after: night + 13))T22:00:00Z",\
            "days":[\(days.joined(separator: ","))]}],\
            "notes":[{"id":"note-\(number)","at":"\(day(after: night + 13))T10:00:00Z","author":"bench",\
            "issue":"\(issue)","text":"\(remark)"}]}
            """
    }

    private static let remark = Array(
        repeating: "The page is asked for after the sheet was closed; the fix waits for review.", count: 16
    ).joined(separator: " ")

    private static func day(after days: Int) -> String {
        let format = Date.ISO8601FormatStyle().year().month().day()
        return Date(timeIntervalSince1970: 1_640_995_200 + Double(days) * 86_400).formatted(format)
    }

    /// The documents of a folder by their paths, compressed by gzip.
    static func compressed(in folder: String) throws -> [Substring: [UInt8]] {
        try Program("/usr/bin/env", ["sh", "-c", "gzip -kf '\(folder)'/*.json"]).finish()
        return try Dictionary(
            uniqueKeysWithValues: (0..<count).map { number in
                ("/\(number).json", try readFile("\(folder)/\(number).json.gz"))
            })
    }
}
