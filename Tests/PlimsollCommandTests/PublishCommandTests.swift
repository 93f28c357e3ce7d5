import Foundation
import Testing

/// `plimsoll publish`, and what `run` and `doctor` do with publish targets.
struct PublishCommandTests {
    /// A built site whose configuration has these targets.
    private func project(_ targets: String) async throws -> Folder {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + targets)
        return folder
    }

    private static let folders = """
        publish:
          - {to: folder, path: web}
          - {to: folder, id: mirror, path: mirror/web, copies: true}

        """

    @Test func publishesToEveryTargetAndOnlyWhatChanged() async throws {
        let folder = try await project(Self.folders)
        let plan = try await Program.run("publish", "--dry-run", in: folder)
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.contains("+ index.html, ") && plan.output.contains("✓ mirror ("))
        #expect(plan.output.contains("would send "))
        #expect(!(try folder.names().contains("web")))

        let first = try await Program.run("publish", in: folder)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.contains("✓ folder (\(folder.path)/web): sent "))
        for name in ["web", "mirror/web"] {
            let differences = try folder.tree(name).differences(from: try folder.tree("site"))
            #expect(differences == [".plimsoll-publication.json"])
        }
        let again = try await Program.run("publish", "--to", "folder", in: folder)
        #expect(again.status == 0 && again.output.contains("up to date") && !again.output.contains("mirror"))

        let json = try await Program.run("publish", "--format", "json", in: folder)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let states = (document["targets"] as? [[String: Any]])?.map { $0["state"] as? String }
        #expect(states == ["unchanged", "unchanged"])
    }

    /// Whoever takes something off a site reads that it is still there, once.
    @Test func whatOthersChangedIsNotCountedAsRemoved() async throws {
        let folder = try await project("keep: [pictures]\npublish: [{to: folder, path: web}]\n")
        try folder.write("site/pictures/plan.png", "ours")
        try folder.write("site/pictures/other.png", "ours")
        #expect(try await Program.run("publish", in: folder).status == 0)
        func drop(_ file: String) throws {
            try FileManager.default.removeItem(atPath: "\(folder.path)/web/\(file)")
            try folder.write("web/" + file, "theirs")
            try FileManager.default.removeItem(atPath: "\(folder.path)/site/\(file)")
        }
        try drop("pictures/other.png")
        let named = try await Program.run("publish", in: folder)
        #expect(named.status == 0 && named.errors.contains("[publish.kept-changed]"), "\(named.printed)")
        #expect(named.errors.contains("was changed there: pictures/other.png"), "\(named.printed)")
        try drop("pictures/plan.png")
        let run = try await Program.run("publish", "--format", "json", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let kept = (document["targets"] as? [[String: Any]])?.map { $0["kept"] as? [String] }
        #expect(kept == [["pictures/plan.png"]])
        try folder.write("site/pictures/last.png", "ours")
        #expect(try await Program.run("publish", in: folder).status == 0)
        try FileManager.default.removeItem(atPath: "\(folder.path)/site/pictures")
        let next = try await Program.run("publish", in: folder)
        #expect(next.output.contains("removed 1,"), "\(next.printed)")
        #expect(!next.errors.contains("kept-changed") && folder.text("web/pictures/plan.png") == "theirs")
    }

    @Test func runPublishesAtItsEndByDefault() async throws {
        let folder = try await project(Self.folders)
        let without = try await Program.run("run", "--no-publish", in: folder)
        #expect(without.status == 0, "\(without.errors)")
        #expect(!(try folder.names().contains("web")))
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("✓ folder (") && run.output.contains("✓ mirror ("))
        let (web, site) = (try folder.tree("web"), try folder.tree("site"))
        #expect(web["index.html"] == site["index.html"])
    }

    /// The next build shows it, in the file for monitors and on the page of sources.
    @Test func siteSaysWhenItWasPublished() async throws {
        let folder = try await project(Self.folders)
        #expect(try await Program.run("build", in: folder).status == 0)
        #expect(folder.text("site/sources/index.md").contains("| mirror | No record | – |"))
        #expect(folder.text("site/status.json").contains("\"target\" : \"mirror\""))
        #expect(try await Program.run("publish", "--to", "folder", in: folder).status == 0)
        #expect(try await Program.run("build", in: folder).status == 0)
        #expect(folder.text("site/sources/index.md").contains("| folder | 2026-11-19 06:00 UTC | – |"))
        #expect(folder.text("site/sources/index.html").contains("<th scope=\"row\">folder</th>"))
        #expect(folder.text("site/status.json").contains("\"publishedAt\" : \"2026-11-19T06:00:00Z\""))
        try folder.write("mirror", "in the way")
        #expect(try await Program.run("publish", in: folder).status == 1)
        #expect(try await Program.run("build", in: folder).status == 0)
        #expect(
            folder.text("site/sources/index.md").contains("| mirror | No record | 2026-11-19 06:00 UTC |"))
    }

    /// A folder for each version of the configuration: a place that both name is known, another one of this name is not.
    @Test func aMovedConfigurationKnowsWhereTheSiteWasPublished() async throws {
        let folder = try await project(Self.folders)
        #expect(try await Program.run("publish", in: folder).status == 0)
        let next = try Folder()
        try next.write(
            "plimsoll.yml",
            Quay.configuration(day: 19) + """
                archive: \(folder.path)/archive.sqlite
                publish:
                  - {to: folder, path: \(folder.path)/web, mostRemoved: 40}
                  - {to: folder, id: mirror, path: mirror/web, copies: true}

                """)
        let build = try await Program.run("build", in: next)
        #expect(build.status == 0, "\(build.printed)")
        let page = next.text("site/sources/index.md")
        #expect(page.contains("| folder | 2026-11-19 06:00 UTC | – |"), "\(page)")
        #expect(page.contains("| mirror | No record | – |"), "\(page)")
    }

    /// When it was published goes along with the archive, wherever that goes.
    @Test(arguments: ["restore", "merge"])
    func theListOfPublicationsGoesWithTheArchive(command: String) async throws {
        let folder = try await project(Self.folders)
        #expect(try await Program.run("publish", "--to", "folder", in: folder).status == 0)
        #expect(try await Program.run("archive", "backup", "copy.sqlite", in: folder).status == 0)
        let other = try Folder()
        for name in ["copy.sqlite", "copy.sqlite.publications.json", "plimsoll.yml"] {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/\(name)", toPath: "\(other.path)/\(name)")
        }
        for _ in 0..<2 {
            let run = try await Program.run("archive", command, "copy.sqlite", in: other)
            #expect(run.status == 0, "\(run.errors)")
        }
        let list = "archive.sqlite.publications.json"
        #expect(!other.text(list).isEmpty && other.text(list) == folder.text(list))
        // What was published here stays known when an archive from before is restored.
        #expect(try await Program.run("publish", "--to", "mirror", in: folder).status == 0)
        let known = folder.text(list)
        if command == "restore" {
            #expect(try await Program.run("archive", "restore", "copy.sqlite", in: folder).status == 0)
        }
        #expect(folder.text(list) == known && known.contains("mirror"))
    }

    /// Two projects with one title and one address, of which each has an id.
    @Test func projectsOfOneTitleAreKnownByTheirIDs() async throws {
        let folder = try await project("id: harbor\npublish: [{to: folder, path: web}]\n")
        #expect(try await Program.run("publish", in: folder).status == 0)
        #expect(folder.text("web/.plimsoll-publication.json").contains("\n\"id\":\"harbor\",\n"))
        let before = try folder.tree("web")

        // The last one is the same project with a new archive.
        for (id, said) in [
            ("id: wharf\n", "that site is of the project 'harbor'; this one is 'wharf'"),
            ("", "this one has no 'id', and another archive"), ("id: harbor\n", nil),
        ] {
            let other = try Folder(copyOf: try await FirstMorning.shared.folder)
            try FileManager.default.removeItem(atPath: other.path + "/archive.sqlite")
            try other.write(
                "plimsoll.yml",
                Quay.configuration(day: 20) + id + "publish: [{to: folder, path: \(folder.path)/web}]\n")
            let run = try await Program.run("run", in: other)
            guard let said else {
                #expect(run.status == 0 && run.output.contains("✓ folder ("), "\(run.printed)")
                continue
            }
            #expect(run.status == 5 && run.errors.contains("[publish.another-site]"), "\(run.printed)")
            #expect(run.errors.contains(said) && run.errors.contains("write 'id: harbor'"), "\(run.errors)")
            #expect(try folder.tree("web").differences(from: before) == [])
        }
    }

    /// A project is known by its archive, wherever that goes, and by its title and address: with a new archive and another
    /// title it is another project, and with a new archive alone the same one.
    @Test func theSiteOfAnotherProjectIsNotReplaced() async throws {
        let folder = try await project("publish: [{to: folder, path: web}]\n")
        #expect(try await Program.run("publish", in: folder).status == 0)
        let list = folder.text("web/.plimsoll-publication.json")
        #expect(list.contains("\"project\":\""), "\(list.prefix(300))")
        let before = try folder.tree("web")

        let other = try Folder(copyOf: try await FirstMorning.shared.folder)
        try other.write(
            "plimsoll.yml",
            Quay.configuration(day: 20).replacing("title: Quay", with: "title: Wharf")
                + "publish: [{to: folder, path: \(folder.path)/web}]\n")
        try FileManager.default.removeItem(atPath: other.path + "/archive.sqlite")
        for command in ["run", "publish", "doctor"] {
            let refused = try await Program.run(command, in: other)
            #expect(
                refused.status == (command == "run" ? 5 : 1)
                    && refused.errors.contains("[publish.another-site]"), "\(refused.printed)")
        }
        #expect(try folder.tree("web").differences(from: before) == [])

        let restored = try await Program.run(
            "archive", "restore", folder.path + "/archive.sqlite", in: other)
        #expect(restored.status == 0, "\(restored.printed)")
        let run = try await Program.run("run", in: other)
        #expect(run.status == 0 && run.output.contains("✓ folder ("), "\(run.printed)")
        #expect(try folder.tree("web")["index.html"] == other.tree("site")["index.html"])
        // The first one goes on.
        let back = try await Program.run("publish", in: folder)
        #expect(back.status == 0 && back.output.contains(": sent "), "\(back.printed)")
    }

    @Test func aTargetThatFailsDoesNotStopTheOthers() async throws {
        let folder = try await project(
            """
            publish:
              - {to: folder, id: first, path: file/web}
              - {to: s3, bucket: reports, accessKey: "${QUAY_KEY}", secretKey: "${QUAY_SECRET}", endpoint: "http://127.0.0.1:9"}
              - {to: folder, id: last, path: web}
            retries: {attempts: 1}

            """)
        try folder.write("file", "in the way")
        for command in ["publish", "run"] {
            let run = try await Program.run(
                command, in: folder,
                environment: ["QUAY_KEY": "AKIAQUAY", "QUAY_SECRET": token, "no_proxy": "127.0.0.1"])
            #expect(run.status == (command == "run" ? 5 : 1), "\(run.printed)")
            #expect(run.output.contains("✗ first (") && run.output.contains("✗ s3 (s3://reports/)"))
            #expect(run.output.contains("✓ last ("))
            #expect(run.errors.contains("[file.") && run.errors.contains("[transport.refused]"))
            #expect(!run.printed.contains(token))
        }
    }

    @Test func doctorTriesEachTargetAndChangesNothing() async throws {
        let folder = try await project(Self.folders)
        let fresh = try await Program.run("doctor", in: folder)
        #expect(fresh.status == 0, "\(fresh.printed)")
        #expect(fresh.output.contains("✓ publish to mirror (folder)\n    place: \(folder.path)/mirror/web\n"))
        #expect(fresh.output.contains("last published: never") && fresh.output.contains("would send: "))
        #expect(!(try folder.names().contains("web")))
        try folder.write("web/index.html", "theirs")
        let foreign = try await Program.run("doctor", "--format", "json", in: folder)
        #expect(foreign.status == 1 && foreign.output.contains("publish.foreign-files"))
    }

    /// The doctor says of a site that cannot be published what a publication would.
    @Test func doctorRefusesWhatAPublicationRefuses() async throws {
        let folder = try await project("publish: [{to: folder, path: web, audience: public}]\n")
        let team = try await Program.run("doctor", in: folder)
        #expect(team.status == 1 && team.errors.contains("[publish.audience]"), "\(team.printed)")
        #expect(team.output.contains("✗ publish to folder") && !team.output.contains("would send"))
        try folder.write("site/manifest.json", "x")
        let damaged = try await Program.run("doctor", in: folder)
        #expect(damaged.status == 1 && damaged.errors.contains("[publish.manifest]"), "\(damaged.printed)")
        try FileManager.default.removeItem(atPath: folder.path + "/site")
        let none = try await Program.run("doctor", in: folder)
        #expect(none.status == 0 && none.output.contains("there is no site yet"), "\(none.printed)")
    }

    @Test(arguments: [
        ("", [], 2, "[publish.no-targets]"),
        ("publish: [{to: folder, path: web}]\n", ["--to", "foldr"], 2, "did you mean 'folder'?"),
        ("publish: [{to: folder, path: web}]\noutput: elsewhere\n", [], 4, "[publish.no-site]"),
        ("publish: [{to: folder, path: web, audience: public}]\n", [], 1, "[publish.audience]"),
        ("publish: [{to: folder, path: web}, {to: folder, path: b}]\n", [], 2, "[config.duplicate-target]"),
        ("publish: [{to: floppy}]\n", [], 2, "[yaml.unknown-word]"),
        ("publish: [{path: web}]\n", [], 2, "[config.no-target-kind]"),
        ("publish: [{to: folder}]\n", [], 2, "[config.missing-key]"),
        ("publish: [{to: s3, bucket: reports}]\n", [], 1, "[publish.credentials]"),
        ("publish: [{to: s3, bucket: reports, secretKey: abc}]\n", [], 2, "[config.literal-secretKey]"),
        ("publish: [{to: folder, path: site}]\n", [], 2, "[publish.place]"),
        ("publish: [{to: folder, path: .}]\n", [], 2, "[publish.place]"),
        (
            "publish: [{to: command, id: a, run: sh, state: s}, {to: command, id: b, run: sh, state: s}]\n",
            [], 2,
            "'s' belongs to another publish target"
        ),
        ("publish: [{to: command, run: sh, state: plimsoll.yml}]\n", [], 2, "[config.target-file]"),
    ])
    func whatIsWrongIsReported(
        targets: String, arguments: [String], status: Int32, words: String
    ) async throws {
        let folder = try await project(targets)
        let run = try await Program.run(
            Program.path, ["publish"] + arguments, in: folder.path, environment: ["HOME": folder.path])
        #expect(run.status == status && run.errors.contains(words), "\(run.printed)")
    }

    @Test func refusesToRemoveTooMuch() async throws {
        let folder = try await project("publish: [{to: folder, path: web, mostRemoved: 0}]\n")
        #expect(try await Program.run("publish", in: folder).status == 0)
        try folder.write(
            "plimsoll.yml",
            Quay.configuration(day: 19).replacing("lamp", with: "buoy-2")
                + "publish: [{to: folder, path: web, mostRemoved: 0}]\n")
        #expect(try await Program.run("build", in: folder).status <= 1)
        let refused = try await Program.run("publish", in: folder)
        #expect(refused.status == 1 && refused.errors.contains("[publish.removals]"), "\(refused.printed)")
        let allowed = try await Program.run("publish", "--allow-removals", in: folder)
        #expect(allowed.status == 0, "\(allowed.printed)")
    }
}
