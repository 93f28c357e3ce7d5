import Testing

/// Commands on a site with groups.
struct GroupCommandTests {
    private let project: DemoProject

    init() async throws {
        project = try await DemoProject()
        let text = try Folder.text(at: project.folder.path + "/plimsoll.yml")
        let grouped = ["Lighthouse", "Sketchbook"].reduce(text) { text, name in
            text.replacing("name: \(name)\n", with: "name: \(name)\n    group: drawing\n")
        }
        try project.folder.write("plimsoll.yml", grouped)
    }

    private func run(_ arguments: String...) async throws -> Run {
        try await Program.run(Program.path, arguments, in: project.folder.path)
    }

    /// The page of a group, of all apps, and one that does not exist.
    @Test func pagesOfGroupsAreShownAndExplained() async throws {
        let entry = try await run("show")
        #expect(entry.status == 0 && entry.output.contains("drawing"), "\(entry.errors)")
        let all = try await run("show", "--page", "all")
        #expect(all.status == 0 && all.output.contains("Tidepool"), "\(all.errors)")
        let group = try await run("show", "--page", "groups/drawing")
        #expect(group.output.contains("Sketchbook") && !group.output.contains("Tidepool"), "\(group.errors)")
        let unknown = try await run("show", "--page", "groups/drawings")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'groups/drawing'?"))
        let numbers = try await run("explain", "groups/drawing")
        #expect(numbers.output.contains("sketchbook/crash-free-users: "), "\(numbers.errors)")
        #expect(!numbers.output.contains("tidepool/"))
    }
}
