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

    /// Gives it an archive of its own, next to which builds keep what they made.
    func takeArchive() async throws {
        let archive = try await DemoSite.shared.folder.path + "/plimsoll-demo/archive.sqlite"
        _ = try await Program.run("/bin/cp", [archive, "archive.sqlite"], in: folder.path)
        let text = folder.text("plimsoll.yml")
        try folder.write(
            "plimsoll.yml", text.replacing("archive: \(archive)", with: "archive: archive.sqlite"))
    }

    /// Makes the demo's site stand as the old one.
    func copySite() async throws {
        _ = try await Program.run(
            "/bin/cp", ["-r", try await DemoSite.shared.folder.path + "/plimsoll-demo/site", "site"],
            in: folder.path)
    }
}
