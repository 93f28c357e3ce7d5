/// A project on the archive of the demo, which is only read.
struct DemoProject: Sendable {
    let folder: Folder

    init() async throws {
        let archive = try await DemoSite.shared.folder.path + "/plimsoll-demo/archive.sqlite"
        folder = try Folder()
        let demo = try Folder.text(at: bundled + "/Content/demo/plimsoll.yml")
        try folder.write(
            "plimsoll.yml",
            demo.replacing(
                "content: ..", with: "content: \(bundled)/Content\noutput: site\narchive: \(archive)"))
    }

    /// The same for everybody.
    static var forEverybody: DemoProject {
        get async throws {
            let project = try await DemoProject()
            let text = project.folder.text("plimsoll.yml")
            try project.folder.write("plimsoll.yml", text + "\naudience: public\n")
            return project
        }
    }

    /// Makes the demo's site stand as the old one.
    func copySite() async throws {
        _ = try await Program.run(
            "/bin/cp", ["-r", try await DemoSite.shared.folder.path + "/plimsoll-demo/site", "site"],
            in: folder.path)
    }
}
