import Foundation
import LoopbackServer
import Testing

/// A second morning whose snapshot file of one app is bad.
struct SnapshotFaultTests {
    /// The bad file, the exit code, and what standard error must hold.
    @Test(arguments: [
        ("", 1, "empty response"), ("<html></html>", 1, "invalid JSON: an HTML page"),
        ("{\"format\":\"plimsoll-snap", 1, "invalid JSON: unexpected end"),
        (String(repeating: "[", count: 200_000), 1, "nested levels"),
        (good.replacing("\"2026-11-20T05:00:00Z\"", with: "12"), 1, "capturedAt"),
        (good.replacing("\"version\":1,", with: "\"version\":2,"), 1, "version"),
        (good.replacing("\"health\":[", with: "\"health\":7,\"helth\":["), 1, "health: expected"),
        (
            good.replacing("\"crashedUsers\":25}]", with: "\"crashedUsers\":\"25\"}]"), 0,
            "health[9].crashedUsers: expected"
        ),
        (good.replacing("\"line\":7", with: "\"line\":\"x\""), 0, "issues[0].line: expected"),
    ])
    func badFileIsReported(text: String, status: Int32, reported: String) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("plimsoll.yml", Quay.configuration(day: 20))
        try folder.write("data/buoy/2026-11-20.json", text)
        try folder.write("more/lamp/2026-11-20.json", Quay.snapshot(of: "lamp", day: 20, users: 7000))
        let run = try await Program.run("run", "--threads", "1", in: folder)
        #expect(run.status == status, "\(run.printed)")
        #expect(run.errors.contains(reported), "\(run.errors)")
        #expect(run.errors.contains("data/buoy/2026-11-20.json"))
        #expect(folder.text("site/apps/lamp/index.html").contains("7,019"))
        #expect(!folder.text("site/apps/lamp/index.html").contains("is-stale"))
        let page = folder.text("site/apps/buoy/index.html")
        #expect(page.contains("is-stale") == (status == 1))
        if status == 1 { #expect(page.contains("5,018")) }
    }

    static let good = Quay.snapshot(of: "buoy", day: 20)

    /// Files from a server, with what JSON admits but no one means.
    @Test(arguments: [
        (
            good.replacing("\"line\":7", with: "\"line\":7,\"line\":8"), 0,
            "Duplicate key \"line\"; first value used"
        ),
        (good.replacing("\"line\":7", with: "\"line\":NaN"), 1, "invalid JSON: unexpected"),
        (good.replacing("\"line\":7", with: "\"line\":1e999"), 0, "issues[0].line: expected"),
        (
            good.replacing("\"line\":7", with: "\"line\":" + String(repeating: "[", count: 100_000)), 1,
            "nested levels"
        ),
    ])
    func oddJSONFromAServerIsReported(text: String, status: Int32, reported: String) async throws {
        let server = try await LoopbackServer.start(answering: .json(text))
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("more/lamp/2026-11-20.json", Quay.snapshot(of: "lamp", day: 20, users: 7000))
        try folder.write(
            "plimsoll.yml",
            Quay.configuration(day: 20).replacing("path: data", with: "path: \"\(server.origin)/buoy.json\""))
        let run = try await Program.run("fetch", in: folder)
        await server.stop()
        #expect(run.status == status, "\(run.printed)")
        #expect(run.errors.contains(reported), "\(run.errors)")
        #expect(run.output.contains("✓ lamp from files"))
    }

    @Test func missingFolderIsReported() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try FileManager.default.removeItem(atPath: folder.path + "/data")
        let run = try await Program.run("run", "--threads", "1", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("files: no directory or file 'data' [files.missing]"))
        #expect(folder.text("site/apps/buoy/index.html").contains("is-stale"))
    }

    /// Files that are no longer written, and files that bring no newer days.
    @Test(arguments: [
        Quay.snapshot(of: "buoy", day: 13),
        Quay.snapshot(of: "buoy", day: 19).replacing("\"date\":\"2026-11", with: "\"date\":\"2026-09"),
    ])
    func oldFilesAreStaleFromTheFirstFetchOn(text: String) async throws {
        let folder = try Folder()
        let configuration = Quay.configuration(day: 19).replacing(
            "path: data", with: "path: data, maxAge: 36h")
        try folder.write("plimsoll.yml", configuration)
        try folder.write("data/buoy.json", text)
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19, users: 7000))
        for _ in 0..<2 {
            let run = try await Program.run("run", "--threads", "1", in: folder)
            #expect(run.status == 1 && run.errors.contains("[files.stale]"), "\(run.printed)")
            #expect(folder.text("site/apps/buoy/index.html").contains("is-stale"))
            #expect(!folder.text("site/apps/lamp/index.html").contains("is-stale"))
            #expect(folder.text("site/status.json").contains("\"state\" : \"stale\""))
        }
        try folder.write(
            "plimsoll.yml", configuration.replacing("asOf: 2026-11-19", with: "asOf: 2026-11-20"))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let run = try await Program.run("run", "--threads", "1", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        #expect(!folder.text("site/apps/buoy/index.html").contains("is-stale"))
    }

    /// An export that is written over each night and stops, by the captures in the archive: a failure of the fetch, as
    /// of files with dates. A fresh archive knows of one capture, whenever and how often it is fetched.
    @Test(arguments: [
        ([16, 17, 18], 20, true), ([16, 17, 18], 19, false), ([10, 18], 20, false), ([18], 20, false),
        ([18, 18], 20, false),
    ])
    func aFileThatIsWrittenOverIsStale(nights: [Int], day: Int, isStale: Bool) async throws {
        let folder = try Folder()
        func write(asOf day: Int) throws {
            try folder.write(
                "plimsoll.yml",
                "asOf: 2026-11-\(day)T06:00:00Z\napps: [{id: buoy, sources: [{provider: files, path: usage.csv}]}]\n"
            )
        }
        for night in nights {
            try write(asOf: night)
            try folder.write(
                "usage.csv",
                "# capturedAt: 2026-11-\(night)T05:00:00Z\ndate,sessions,crashed_sessions\n2026-11-\(night - 1),900,3\n"
            )
            let run = try await Program.run("fetch", in: folder)
            #expect(run.status == 0, "\(run.printed)")
        }
        try write(asOf: day)
        for command in ["doctor", "run", "doctor", "run"] {
            let run = try await Program.run(command, in: folder)
            #expect((run.status == 1) == isStale, "\(command): \(run.printed)")
            #expect(run.errors.contains("[files.stale]") == isStale, "\(command): \(run.errors)")
        }
        #expect(folder.text("site/feed.json").contains("Couldn't fetch") == isStale)
    }

    /// What is there again says the same captures as before, which are earlier than the fetch that did not find it.
    @Test func fixedFolderIsNoLongerStale() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let (data, away) = (folder.path + "/data", folder.path + "/away")
        for (hour, isThere) in [("06", false), ("07", false), ("08", true), ("09", true)] {
            if FileManager.default.fileExists(atPath: data) != isThere {
                try FileManager.default.moveItem(atPath: isThere ? away : data, toPath: isThere ? data : away)
            }
            try folder.write(
                "plimsoll.yml", Quay.configuration(day: 20).replacing("20T06:00", with: "20T\(hour):00"))
            let run = try await Program.run("run", "--threads", "1", in: folder)
            #expect(run.status == (isThere ? 0 : 1), "\(run.printed)")
            #expect(folder.text("site/apps/buoy/index.html").contains("is-stale") != isThere, "\(hour) h")
        }
    }
}

/// A project of two apps from files after a first good morning, made once.
struct FirstMorning: Sendable {
    let folder: Folder
    let run: Run
    let tree: Tree

    static var shared: FirstMorning {
        get async throws { try await made.value }
    }

    private static let made = Task {
        let folder = try Folder()
        folder.removeAtExit()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19, users: 7000))
        let run = try await Program.run("run", in: folder)
        return FirstMorning(folder: folder, run: run, tree: try folder.tree("site"))
    }
}
