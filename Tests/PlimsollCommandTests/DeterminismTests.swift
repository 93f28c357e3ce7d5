import Testing

struct DeterminismTests {
    @Test func zoneLanguageAndThreadsNeverChangeAByte() async throws {
        let demo = try await DemoSite.shared
        let folder = try Folder()
        let run = try await Program.run(
            "demo", "--threads", "7", "--output", "elsewhere/deeper", in: folder,
            environment: [
                "TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8",
                "HOME": folder.path,
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.tree("elsewhere/deeper/site").differences(from: demo.tree) == [])
    }

    @Test func sameArchiveGivesTheSameBytes() async throws {
        let project = try await DemoProject()
        let run = try await Program.run(
            "build", "--threads", "1", in: project.folder,
            environment: ["TZ": "America/St_Johns", "LANG": "ar", "LANGUAGE": "ar_EG"])
        #expect(run.status == 1, "Tidepool is stale: \(run.printed)")
        #expect(try project.folder.tree("site").differences(from: try await DemoSite.shared.tree) == [])
    }

    @Test func earlierInstantShowsTheEarlierFigures() async throws {
        let project = try await DemoProject()
        let run = try await Program.run("build", "--as-of", "2026-11-14T06:30:00Z", in: project.folder)
        #expect(run.status == 0, "\(run.errors)")
        let (then, now) = (try project.folder.tree("site"), try await DemoSite.shared.tree)
        #expect(now.files["apps/sketchbook/releases/4.3.0/index.html"] != nil)
        #expect(then.files["apps/sketchbook/releases/4.3.0/index.html"] == nil)
        #expect(then.files["apps/sketchbook/days/2026-11-14/index.html"] == nil)
        #expect(then["apps/sketchbook/index.html"].contains("Fri, Nov 13, 2026"))
        #expect(!then["apps/sketchbook/index.html"].contains("19 Nov 2026"))
        #expect(then["status.json"].contains("\"state\" : \"ok\""))
        #expect(then.files(with: "safari-1337") == [])
        // The day was provisional then and is complete now.
        let day = "apps/lighthouse/days/2026-11-13/data.json"
        #expect(then.files[day] != nil && then.files[day] != now.files[day])
    }

    /// Tables whose hashes have another seed in every process would show here.
    @Test func everyProcessGivesTheSameBytes() async throws {
        let first = try await FirstMorning.shared
        for _ in 0..<2 {
            let folder = try Folder(copyOf: first.folder)
            let run = try await Program.run("build", in: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.tree("site").differences(from: first.tree) == [])
        }
    }
}
