import AppHealth
import Testing

/// Nights that bring nothing but a new day: what is about an older day, week, issue or release does not change.
struct PastPagesTests {
    /// The first of 150 days.
    private static let first = CivilDate("2026-05-04") ?? CivilDate(daysSinceEpoch: 0)

    /// What the files of an app say on the morning after so many days: all days, or the last three of them.
    private static func snapshot(
        after days: Int, last shown: Int? = nil, state: String = "open", countsSessions: Bool = true
    ) -> String {
        let span = max(0, days - (shown ?? days))..<days
        func date(_ day: Int) -> String { first.advanced(by: day).description }
        let health = span.flatMap { day -> [String] in
            if !countsSessions { return [#"{"date":"\#(date(day))","crashes":\#(20 + day % 7)}"#] }
            let release = day < 60 ? "1.0" : "1.1"
            return [
                #"{"date":"\#(date(day))","sessions":9000,"crashedSessions":\#(20 + day % 7),"users":4000,"crashedUsers":\#(9 + day % 5)}"#,
                #"{"date":"\#(date(day))","release":"\#(release)","sessions":9000,"crashedSessions":\#(20 + day % 7)}"#,
            ]
        }
        // One issue that goes on, in both releases, and one that ended long ago.
        let going = #""firstVersion":"1.0","lastVersion":"1.1","users":\#(100 + days),"#
        let issues = ["knot": 0..<days, "leak": 5..<40].sorted { $0.key < $1.key }.map { id, seen in
            let rows = span.map { day in
                let events = seen.contains(day) ? 10 + day % 3 : 0
                return #"{"date":"\#(date(day))","events":\#(events),"users":\#(events / 2)}"#
            }
            return
                #"{"id":"\#(id)","title":"\#(id)","state":"\#(id == "knot" ? state : "open")",\#(id == "knot" ? going : "")"days":[\#(rows.joined(separator: ","))]}"#
        }
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"\(date(days))T05:00:00Z",
            "provides":[\(countsSessions ? #""sessions","users","releaseHealth","# : "")"releases","issues","issueDays"],
            "health":[\(health.joined(separator: ",\n"))],
            "releases":[{"version":"1.1","releasedAt":"2026-07-03T08:00:00Z"},{"version":"1.0"}],
            "issues":[\(issues.joined(separator: ",\n"))]}

            """
    }

    /// Fetches and builds on the morning after so many days; a source that fails ends with 1.
    private func site(
        after days: Int, hour: Int = 6, of source: String = "data", in folder: Folder, status: Int32 = 0
    ) async throws -> Tree {
        _ = try await built(after: days, hour: hour, of: source, in: folder, status: status)
        return try folder.tree("site")
    }

    /// The same; returns what the build says.
    private func built(
        after days: Int, hour: Int = 6, of source: String = "data", in folder: Folder, status: Int32 = 0
    ) async throws -> String {
        let instant = "\(Self.first.advanced(by: days))T0\(hour):00:00Z"
        try folder.write(
            "plimsoll.yml",
            """
            title: Quay
            asOf: \(instant)
            apps:
              - id: buoy
                name: Buoy
                sources: [{provider: files, path: \(source)}]

            """)
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.status == status, "\(fetched.printed)")
        let built = try await Program.run("build", in: folder)
        #expect(built.status == status, "\(built.printed)")
        return built.output
    }

    /// The places of the pages that differ between two sites, without those of their parts.
    private func changed(_ old: Tree, _ new: Tree, under part: String) -> [String] {
        let places = new.differences(from: old).filter { $0.hasPrefix("apps/buoy/" + part + "/") }.map {
            $0.split(separator: "/").dropFirst(3).dropLast().joined(separator: "/")
        }
        return Set(places).subtracting([""]).sorted()
    }

    @Test func aNightWithANewDayChangesWhatIsAboutIt() async throws {
        let folder = try Folder()
        try folder.write("data/150.json", Self.snapshot(after: 150))
        let old = try await site(after: 150, in: folder)
        try folder.write("data/151.json", Self.snapshot(after: 151, last: 3))
        let new = try await site(after: 151, in: folder)
        // The newest day and the one that it follows; of the day before those the second capture said nothing new.
        #expect(changed(old, new, under: "days") == ["2026-09-29", "2026-09-30", "2026-10-01"])
        #expect(changed(old, new, under: "activity") == ["2026-W40"])
        #expect(changed(old, new, under: "issues") == ["knot"])
        #expect(changed(old, new, under: "releases") == ["1.1"])
        #expect(new["apps/buoy/issues/leak/index.md"].contains("Aug 14, 2026"))
        #expect(new["apps/buoy/days/2026-09-01/index.md"].contains("Data as of Thu, Oct 1, 2026, 05:00 UTC."))
    }

    /// A page that is made again to the very bytes that it had costs as much as a new one, and no file tells.
    ///
    /// What is made are four pages of the site, five of the app, three days, a week of activity, an issue, and the release
    /// in use with its comparison; without sessions there is none, and no release is known to be over.
    @Test(arguments: [
        (true, "Built 208 pages, 192 of them kept"), (false, "Built 207 pages, 191 of them kept"),
    ])
    func aNightWithANewDayMakesWhatIsAboutIt(countsSessions: Bool, pages: String) async throws {
        let folder = try Folder()
        try folder.write("data/150.json", Self.snapshot(after: 150, countsSessions: countsSessions))
        let first = try await built(after: 150, in: folder)
        #expect(!first.contains("kept"), "\(first)")
        try folder.write("data/151.json", Self.snapshot(after: 151, last: 3, countsSessions: countsSessions))
        let second = try await built(after: 151, in: folder)
        #expect(second.contains(pages), "\(second)")
        let third = try await built(after: 151, in: folder)
        #expect(third.contains("all of them kept"), "\(third)")
    }

    @Test func theSameDataHalfADayLaterChangeTheAgesAlone() async throws {
        let folder = try Folder()
        try folder.write("data/150.json", Self.snapshot(after: 150))
        let old = try await site(after: 150, in: folder)
        let new = try await site(after: 150, hour: 9, in: folder)
        let pages = new.differences(from: old).filter { $0.hasSuffix(".md") || $0.contains("/data") }
        #expect(
            pages == [
                "apps/buoy/index.md", "index.md", "sources/data.csv", "sources/data.json", "sources/index.md",
            ])
    }

    @Test func aClosedIssueIsStillOpenOnThePagesOfThePast() async throws {
        let folder = try Folder()
        try folder.write("data/150.json", Self.snapshot(after: 150))
        let old = try await site(after: 150, in: folder)
        try folder.write("data/151.json", Self.snapshot(after: 151, last: 3, state: "closed"))
        let new = try await site(after: 151, in: folder)
        #expect(changed(old, new, under: "days") == ["2026-09-29", "2026-09-30", "2026-10-01"])
        #expect(new["apps/buoy/days/2026-09-30/index.md"].contains("Open"))
        #expect(new["apps/buoy/days/2026-10-01/index.md"].contains("Closed"))
        // No snapshot of that time says what it was.
        #expect(!new["apps/buoy/days/2026-09-01/index.md"].contains("Open"))
    }

    @Test func aRevisedDayChangesItsPage() async throws {
        let folder = try Folder()
        try folder.write("data/150.json", Self.snapshot(after: 150))
        let old = try await site(after: 150, in: folder)
        try folder.write(
            "data/151.json",
            Self.snapshot(after: 150).replacing(
                #""2026-07-10","sessions":9000"#, with: #""2026-07-10","sessions":9001"#
            )
            .replacing("T05:00:00Z", with: "T05:30:00Z"))
        let new = try await site(after: 150, in: folder)
        #expect(changed(old, new, under: "days").contains("2026-07-10"))
        #expect(!changed(old, new, under: "days").contains("2026-07-09"))
    }

    @Test func aNightWithoutItsSourceLeavesThePastAlone() async throws {
        let folder = try Folder()
        try folder.write("data/150.json", Self.snapshot(after: 150))
        let old = try await site(after: 150, in: folder)
        let new = try await site(after: 151, of: "gone", in: folder, status: 1)
        // A day without data has a page that says so, its week has the failure, the last 28 days of an issue that is
        // seen are others, and the figures of a release in use are stale.
        #expect(changed(old, new, under: "days") == ["2026-09-30", "2026-10-01"])
        #expect(changed(old, new, under: "activity") == ["2026-W40"])
        #expect(changed(old, new, under: "issues") == ["knot"])
        #expect(changed(old, new, under: "releases") == ["1.1"])
    }
}
