import Testing

/// What is reported of sources that respond and of which something is wrong nonetheless.
struct SourceStateTests {
    private static func snapshot(day: Int, captured: Int) -> String {
        """
        {"format":"plimsoll-snapshot","version":1,"app":"quay",
        "capturedAt":"2026-11-\(Quay.padded(captured))T05:00:00Z","provides":["sessions"],
        "health":[{"date":"2026-11-\(Quay.padded(day))","sessions":20000,"crashedSessions":40}]}

        """
    }

    /// One whose rates end with a day, while the events of an issue go on until the last one.
    private static func snapshot(ratesThrough last: Int, captured: Int) -> String {
        """
        {"format":"plimsoll-snapshot","version":1,"app":"quay",
        "capturedAt":"2026-11-\(Quay.padded(captured))T05:00:00Z","provides":["sessions","issues","issueDays"],
        "health":[{"date":"2026-11-\(Quay.padded(last))","sessions":20000,"crashedSessions":40}],
        "issues":[{"id":"1","title":"a","days":[{"date":"2026-11-\(Quay.padded(captured - 1))","events":3}]}]}

        """
    }

    /// A project with the files of two weeks of nights, each as of the day of November on which it was captured.
    private func nights(_ snapshot: (Int) -> String) throws -> Folder {
        let folder = try Folder()
        for captured in 6...20 {
            try folder.write("data/2026-11-\(Quay.padded(captured)).json", snapshot(captured))
        }
        try folder.write("plimsoll.yml", configuration(Self.files))
        return folder
    }

    private static let files = "{provider: files, path: data}"

    private func configuration(_ sources: String, night: Int = 20) -> String {
        "asOf: 2026-11-\(Quay.padded(night))T06:00:00Z\napps:\n  - id: quay\n    name: Quay\n    sources: [\(sources)]\n"
    }

    /// Two platforms of one app: what of the second is shown nowhere is said where somebody looks for it.
    @Test func anUnusedSourceIsNamed() async throws {
        let folder = try Folder()
        for name in ["ios", "android"] {
            try folder.write("data/\(name)/a.json", Self.snapshot(day: 19, captured: 20))
        }
        let sources = ["ios", "android"].map { "{provider: files, id: \($0), path: data/\($0)}" }
        try folder.write("plimsoll.yml", configuration(sources.joined(separator: ", ")))
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        let problem = "quay: nothing of 'android' is shown, as 'ios' provides the same"
        let step = "for two platforms, make two apps: move 'android' to one of its own"
        #expect(folder.text("site/sources/index.md").contains(problem))
        let check = try await Program.run("check", in: folder)
        #expect(check.errors.contains(problem) && check.errors.contains(step), "\(check.printed)")
        #expect(check.status == 0)
        let doctor = try await Program.run("doctor", in: folder)
        #expect(doctor.errors.contains(problem) && doctor.errors.contains(step), "\(doctor.printed)")
        #expect(doctor.status == 1)
    }

    /// One service that follows another of the same kind: each has its days.
    @Test func aSourceThatEndedHidesNoOther() async throws {
        let folder = try Folder()
        for name in ["old", "new"] {
            try folder.write("data/\(name)/a.json", Self.snapshot(day: 19, captured: 20))
        }
        let sources = [
            "{provider: files, id: old, path: data/old, until: 2026-11-10}",
            "{provider: files, id: new, path: data/new}",
        ]
        for order in [sources, sources.reversed()] {
            try folder.write("plimsoll.yml", configuration(order.joined(separator: ", ")))
            let run = try await Program.run("run", in: folder)
            let check = try await Program.run("check", in: folder)
            #expect(
                check.status == 0 && !check.printed.contains("nothing of"), "\(run.printed) \(check.printed)")
        }
    }

    /// Files of each night, the newest of which have no newer day.
    @Test(arguments: [(19, false), (18, false), (17, true)])
    func aSourceWithoutNewDaysIsNamed(last: Int, isIdle: Bool) async throws {
        let folder = try nights { Self.snapshot(day: min($0 - 1, last), captured: $0) }
        let run = try await Program.run("run", in: folder)
        #expect(run.status == (isIdle ? 1 : 0), "\(run.printed)")
        let problem = "no new data since 2026-11-\(last) although fetched on 2026-11-20"
        let (page, status) = (folder.text("site/apps/quay/index.md"), folder.text("site/status.json"))
        #expect(page.contains("Last good data: 2026-11-\(last), fetched 2026-11-20 05:00 UTC"), "\(page)")
        #expect(page.contains(problem) == isIdle && status.contains(problem) == isIdle)
        #expect(status.contains("\"state\" : \"stale\"") == isIdle, "\(status)")
        #expect(status.contains("\"dataThrough\" : \"2026-11-\(last)\""))
        let doctor = try await Program.run("doctor", in: folder)
        #expect(doctor.errors.contains(problem) == isIdle, "\(doctor.printed)")
        #expect(doctor.status == (isIdle ? 1 : 0))
    }

    /// Files of each night whose issues have each new day, and whose crash-free rates stopped.
    @Test(arguments: [(19, false), (18, false), (17, true)])
    func ratesThatStopWhileIssuesGoOnAreNamed(last: Int, isIdle: Bool) async throws {
        let folder = try nights { Self.snapshot(ratesThrough: min($0 - 1, last), captured: $0) }
        let run = try await Program.run("run", in: folder)
        #expect(run.status == (isIdle ? 1 : 0), "\(run.printed)")
        let problem = "no new crash-free rates since 2026-11-\(last) although fetched on 2026-11-20"
        let (page, status) = (folder.text("site/apps/quay/index.md"), folder.text("site/status.json"))
        #expect(page.contains("Last good data: 2026-11-19, fetched 2026-11-20 05:00 UTC"), "\(page)")
        #expect(page.contains("No recent crash-free rates from 'files'.") == isIdle, "\(page)")
        #expect(page.contains(problem) == isIdle && status.contains(problem) == isIdle)
        #expect(status.contains("\"state\" : \"stale\"") == isIdle, "\(status)")
        // The issues are as new as ever.
        #expect(!folder.text("site/apps/quay/issues/index.md").contains("Stale"))
        let doctor = try await Program.run("doctor", in: folder)
        #expect(doctor.errors.contains(problem) == isIdle, "\(doctor.printed)")
        #expect(doctor.status == (isIdle ? 1 : 0))
    }

    /// Days that stop and come again are one source failure of the activity, with one id in feeds; so are rates that stop.
    @Test(arguments: [false, true]) func aTimeWithoutNewDaysIsASourceFailure(isRates: Bool) async throws {
        // The fetches of November 14 to 18 have no newer day than the 13th: the third is one too many.
        func snapshot(_ captured: Int) -> String {
            let last = (14...18).contains(captured) ? 13 : captured - 1
            return isRates
                ? Self.snapshot(ratesThrough: last, captured: captured)
                : Self.snapshot(day: last, captured: captured)
        }
        let folder = try Folder()
        let what = isRates ? "No new data on crash-free rates from 'files'" : "No new data from 'files'"
        let id = "<id>urn:plimsoll:quay/source-idle/2026-11-16/files</id>"
        let texts = [
            (15, ""), (16, "since Fri, Nov 13, 2026."), (18, "since Fri, Nov 13, 2026."),
            (20, "from Mon, Nov 16, 2026, 05:00 UTC until Thu, Nov 19, 2026, 05:00 UTC."),
        ]
        for (night, text) in texts {
            for captured in 6...night {
                try folder.write("data/2026-11-\(Quay.padded(captured)).json", snapshot(captured))
            }
            try folder.write("plimsoll.yml", configuration(Self.files, night: night))
            let run = try await Program.run("run", in: folder)
            #expect(run.status == ([16, 18].contains(night) ? 1 : 0), "\(run.printed)")
            let (feed, page) = (
                folder.text("site/apps/quay/feed.xml"), folder.text("site/apps/quay/index.md")
            )
            #expect(feed.contains(id) == !text.isEmpty, "\(night): \(feed)")
            guard !text.isEmpty else { continue }
            #expect(
                page.contains("**Source Failure**") && page.contains("\(what) \(text)"), "\(night): \(page)")
        }
    }
}
