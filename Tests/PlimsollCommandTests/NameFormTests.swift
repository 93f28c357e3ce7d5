import Testing

/// Names that are equal, and not the same bytes: a job on one system writes `é` as one scalar, one on another as two.
struct NameFormTests {
    private static let (composed, split) = ("Caf\u{E9}", "Cafe\u{301}")

    private static func snapshot(of app: String, day: Int, _ name: String) -> String {
        let days = [day - 2, day - 1].map { "2026-11-\(Quay.padded($0))" }
        let health = days.map {
            #"""
            {"date":"\#($0)","sessions":9000,"crashedSessions":90},
            {"date":"\#($0)","release":"\#(name)","sessions":8000,"crashedSessions":80}
            """#
        }
        let counts = days.map { #"{"date":"\#($0)","events":40,"users":30}"# }
        let devices = days.map { #"{"date":"\#($0)","device":"\#(name)","crashes":40}"# }
        return #"""
            {"format":"plimsoll-snapshot","version":1,"app":"\#(app)",
            "capturedAt":"2026-11-\#(Quay.padded(day))T05:00:00Z",
            "provides":["sessions","releases","releaseHealth","issues","issueDays","notes"],
            "health":[\#(health.joined(separator: ","))],"releases":[{"version":"\#(name)","build":"\#(name)"}],
            "issues":[{"id":"\#(name)","title":"Fall","firstVersion":"\#(name)","lastVersion":"\#(name)",
            "events":400,"users":300,"days":[\#(counts.joined(separator: ","))]}],
            "notes":[{"id":"\#(name)","at":"2026-11-18T10:00:00Z","author":"J","text":"x","release":"\#(name)"}],
            "devices":[\#(devices.joined(separator: ","))]}
            """#
    }

    private static func configuration(day: Int) -> String {
        let apps = ["buoy": composed, "lamp": split].sorted { $0.key < $1.key }.map { id, group in
            """
              - id: \(id)
                name: \(id)
                group: \(group)
                sources: [{provider: files, path: \(id)}]
            """
        }
        return """
            asOf: 2026-11-\(Quay.padded(day))T06:00:00Z
            apps:
            \(apps.joined(separator: "\n"))

            """
    }

    @Test(arguments: [[composed, split, composed], [split, composed, split]])
    func linksLeadToTheSamePages(forms: [String]) async throws {
        let folder = try Folder()
        try folder.write(
            "Content/notes/slow.md",
            "---\napp: buoy\nat: 2026-11-18\nrelease: \(forms[0])\n---\nSlow.\n")
        try folder.write(
            "Content/notes/known.md",
            "---\napp: lamp\nat: 2026-11-18\nissue: \(forms[1])\n---\nKnown.\n")
        for (place, form) in forms.enumerated() {
            let day = 18 + place
            try folder.write("plimsoll.yml", Self.configuration(day: day))
            for app in ["buoy", "lamp"] {
                try folder.write("\(app)/\(day).json", Self.snapshot(of: app, day: day, form))
            }
            for command in ["fetch", "build", "check"] {
                let run = try await Program.run(command, in: folder)
                #expect(run.status == 0, "\(form) \(command): \(run.printed)")
            }
        }
        let tree = try folder.tree("site")
        let full = try await Program.run("build", "--full", in: folder)
        #expect(full.status == 0, "\(full.printed)")
        #expect(try folder.tree("site").differences(from: tree) == [])
        #expect(folder.text("site/apps/buoy/releases/index.md").contains("1 release"))
    }
}
