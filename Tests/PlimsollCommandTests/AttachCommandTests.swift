import Foundation
import LoopbackServer
import Synchronization
import Testing

/// `plimsoll attach`, and what `run` and `doctor` do with attach targets.
struct AttachCommandTests {
    /// A built site whose configuration has these targets.
    private func project(_ targets: String) async throws -> Folder {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + targets)
        return folder
    }

    private static let path = "/hooks/\(token)"

    private func environment(_ origin: String) -> [String: String] {
        ["CHAT_URL": origin + Self.path, "GITHUB_TOKEN": token, "no_proxy": "127.0.0.1"]
    }

    @Test func attachesOnceAndUpdatesInPlace() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try await project(
            """
            attach:
              - {to: slack, url: "${CHAT_URL}", app: lamp}
              - {to: github-step, file: step.md, when: verdict}

            """)
        let names = environment(server.origin)
        let preview = try await Program.run("attach", "--preview", in: folder, environment: names)
        #expect(preview.status == 0, "\(preview.printed)")
        #expect(preview.output.contains("plimsoll:begin app=buoy release=1.4 ") && server.requests.isEmpty)
        let dry = try await Program.run("attach", "--dry-run", in: folder, environment: names)
        #expect(
            dry.status == 0 && dry.output.contains("  + lamp 2026-11-18: would be attached"), "\(dry.printed)"
        )
        #expect(try server.requests.isEmpty && !folder.names().contains("step.md"))

        let first = try await Program.run("attach", in: folder, environment: names)
        #expect(first.status == 0, "\(first.printed)")
        #expect(first.output.contains("✓ slack (Slack (127.0.0.1)): 1 attached"), "\(first.output)")
        #expect(
            first.output.contains("✓ github-step (\(folder.path)/step.md): 2 attached"), "\(first.output)")
        #expect(server.requests.count == 1)
        #expect(preview.output.hasPrefix(server.requests[0].text + "\n"))
        let step = folder.text("step.md")
        #expect(step.contains("app=buoy release=1.4 ") && step.contains("app=lamp release=1.4 "))

        let again = try await Program.run("attach", "--format", "json", in: folder, environment: names)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
        let parts = (document["targets"] as? [[String: Any]])?.compactMap {
            $0["summaries"] as? [[String: Any]]
        }
        #expect(parts?.joined().map { $0["state"] as? String } == ["unchanged", "unchanged", "unchanged"])
        #expect(server.requests.count == 1 && folder.text("step.md") == step)
        // What arrived is sent again only where it is named.
        let none = try await Program.run(
            "attach", "--to", "slack", "--again", in: folder, environment: names)
        #expect(none.output.contains("1 up to date") && server.requests.count == 1, "\(none.printed)")
        let empty = try await Program.run(
            "attach", "--to", "slack", "--preview", in: folder, environment: names)
        #expect(empty.status == 0 && empty.output.isEmpty, "\(empty.printed)")
        #expect(
            empty.errors.contains(
                "note: Up to date at 'slack' [attach.up-to-date]\n  lamp 2026-11-18: up to date, attached at 2026-"
            ), "\(empty.errors)")
        let forced = try await Program.run(
            "attach", "--to", "slack", "--day", "2026-11-18", "--again", in: folder, environment: names)
        #expect(forced.status == 0 && server.requests.count == 2, "\(forced.printed)")
        let day = try await Program.run(
            "attach", "--to", "slack", "--day", "2026-11-17", in: folder, environment: names)
        #expect(day.output.contains("+ lamp 2026-11-17: attached"), "\(day.printed)")
        let archive = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/archive.sqlite"))
        #expect(archive.range(of: Data(token.utf8)) == nil)
        for run in [preview, dry, first, again, none, empty, forced, day] {
            #expect(!run.printed.contains(token))
        }
        await server.stop()
    }

    /// The newest kept backup knows what its own night attached: once it is restored nothing is sent twice, and where
    /// there is no archive to take more from, that is said.
    @Test func aRestoredBackupSendsNothingTwice() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try await project(
            "keepBackups: 2\nattach:\n  - {to: slack, url: \"${CHAT_URL}\", app: lamp}\n")
        let names = environment(server.origin)
        let night = try await Program.run("run", in: folder, environment: names)
        #expect(night.status == 0 && server.requests.count == 1, "\(night.printed)")
        #expect(try folder.names(in: "archive.sqlite.backups").count == 1)
        for isThere in [true, false] {
            if !isThere { try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite") }
            let restored = try await Program.run("archive", "restore", in: folder, environment: names)
            #expect(restored.status == 0, "\(restored.printed)")
            #expect(restored.errors.contains("[archive.attached-unknown]") != isThere, "\(restored.errors)")
            let again = try await Program.run("attach", in: folder, environment: names)
            #expect(again.status == 0 && again.output.contains("1 up to date"), "\(again.printed)")
            #expect(server.requests.count == 1)
        }
        await server.stop()
    }

    /// Two projects with one archive: the second needs an id of its own, and a new address of the first sends nothing twice.
    @Test func aTargetOfAnotherProjectNeedsItsOwnId() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try await project("attach:\n  - {to: slack, url: \"${CHAT_URL}\", app: lamp}\n")
        try folder.write("other.yml", folder.text("plimsoll.yml"))
        let (first, second) = (environment(server.origin), environment(server.origin + "/second"))
        let sent = try await Program.run("attach", in: folder, environment: first)
        #expect(sent.status == 0 && server.requests.count == 1, "\(sent.printed)")
        let refused = try await Program.run("attach", "-f", "other.yml", in: folder, environment: second)
        #expect(refused.status == 1 && server.requests.count == 1, "\(refused.printed)")
        #expect(refused.errors.contains("[attach.another-place]"), "\(refused.errors)")
        try folder.write(
            "other.yml", folder.text("other.yml").replacing("to: slack", with: "to: slack, id: b"))
        let own = try await Program.run("attach", "-f", "other.yml", in: folder, environment: second)
        #expect(own.status == 0 && server.requests.count == 2, "\(own.printed)")
        let rotated = try await Program.run("attach", in: folder, environment: second)
        #expect(rotated.status == 0 && rotated.output.contains("1 up to date"), "\(rotated.printed)")
        #expect(server.requests.count == 2)
        await server.stop()
    }

    /// Whoever gets nothing can see why, before anything is sent and at the doctor's.
    @Test func whyNothingIsAttachedIsSaid() async throws {
        let folder = try await project(
            """
            attach:
              - {to: github-step, id: notes, file: a.md, when: attention}
              - {to: github-step, id: verdicts, file: b.md, when: verdict}
              - {to: github-step, id: weeks, file: c.md, when: weekly}
              - {to: github-step, id: days, file: d.md, app: lamp}

            """)
        #expect(try await Program.run("attach", "--to", "days", in: folder).status == 0)
        let quiet =
            "nothing on 2026-11-18 asks for attention: no alert began, no verdict hold or roll back, no source that failed"
        let rows: [([String], [String])] = [
            (
                [],
                [
                    "  – buoy: \(quiet)", "  – lamp: \(quiet)",
                    "  = lamp 2026-11-18: up to date, attached at 2026-11-19T06:00:00Z",
                ]
            ),
            (
                ["--app", "buoy"],
                ["✓ days (\(folder.path)/d.md): nothing to attach", "  – it is for 'lamp' alone"]
            ),
        ]
        for (arguments, lines) in rows {
            let run = try await Program.run(
                Program.path, ["attach", "--dry-run"] + arguments, in: folder.path,
                environment: ["HOME": folder.path])
            #expect(run.status == 0, "\(run.printed)")
            for line in lines { #expect(run.output.contains(line + "\n"), "\(line): \(run.output)") }
        }
        let preview = try await Program.run("attach", "--preview", in: folder)
        #expect(
            preview.errors.contains("note: Nothing to attach to 'notes' [attach.no-summary]"),
            "\(preview.errors)")
        let doctor = try await Program.run("doctor", in: folder)
        #expect(
            doctor.output.contains(
                "    would attach: nothing\n    no summary: buoy: \(quiet)\n    no summary: lamp: \(quiet)\n"),
            "\(doctor.output)")
        #expect(doctor.output.contains("    would attach: nothing\n    up to date: lamp 2026-11-18\n"))
        for arguments in [["attach", "--dry-run"], ["doctor"]] {
            let run = try await Program.run(
                Program.path, arguments + ["--format", "json"], in: folder.path,
                environment: ["HOME": folder.path])
            #expect(run.output.contains("\"why\" : \"\(quiet)\""), "\(run.output)")
        }
        try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite")
        let empty = try await Program.run("doctor", in: folder)
        #expect(
            empty.output.contains("    no summary: no archive yet; run 'plimsoll fetch'\n"),
            "\(empty.printed)")
        try folder.write("archive.sqlite", "no archive")
        let damaged = try await Program.run("doctor", in: folder)
        #expect(damaged.status == 1 && damaged.output.contains("✗ attach to notes"), "\(damaged.printed)")
        #expect(damaged.errors.matches(of: /archive\.corrupt\]/).count == 1, "\(damaged.errors)")
    }

    @Test func runAttachesAtItsEndByDefault() async throws {
        let folder = try await project("attach: [{to: github-step, file: step.md}]\n")
        let without = try await Program.run("run", "--no-attach", in: folder)
        #expect(without.status == 0, "\(without.printed)")
        #expect(try !folder.names().contains("step.md"))
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 0 && run.output.contains("✓ github-step ("), "\(run.printed)")
        #expect(folder.text("step.md").contains("### Buoy — Wed, Nov 18, 2026"))
        // The next build is what it would be without: nothing of it is on a page.
        let tree = try folder.tree("site")
        #expect(try await Program.run("build", in: folder).status == 0)
        #expect(try folder.tree("site").differences(from: tree) == [])
    }

    /// The site is new by then: that nothing was done would be false.
    @Test func runThatCanAttachNothingHasBuiltItsSite() async throws {
        let folder = try await project(
            """
            publish: [{to: command, run: ./lose.sh}]
            attach: [{to: github-step, file: step.md}]

            """)
        try folder.write("lose.sh", "#!/bin/sh\ncat >/dev/null\nrm archive.sqlite\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/lose.sh")
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 5 && run.errors.contains("[archive.lost]"), "\(run.printed)")
        #expect(run.output.contains("Built "), "\(run.printed)")
    }

    @Test func aTargetThatFailsDoesNotStopTheOthers() async throws {
        let server = try await LoopbackServer.start { request in
            request.path.hasPrefix("/hooks")
                ? .text("invalid_payload", status: 400) : .json("{}", status: 401)
        }
        let folder = try await project(
            """
            attach:
              - {to: slack, url: "${CHAT_URL}", app: lamp}
              - {to: mattermost, url: "${UNSET_URL}"}
              - {to: github-release, repository: team/lamp, token: "${GITHUB_TOKEN}", api: "\(server.origin)"}
              - {to: github-step, file: step.md}
            retries: {attempts: 1}

            """)
        for command in ["attach", "run"] {
            let run = try await Program.run(command, in: folder, environment: environment(server.origin))
            #expect(run.status == (command == "run" ? 5 : 1), "\(run.printed)")
            #expect(
                run.output.contains("✗ slack (") && run.output.contains("✗ mattermost (mattermost): 1 failed")
            )
            #expect(run.output.contains("✗ github-release (team/lamp on GitHub): 2 failed"), "\(run.printed)")
            #expect(run.output.contains("✓ github-step ("))
            #expect(run.errors.contains("[config.unset-token]") && run.errors.contains("invalid_payload"))
            #expect(!run.printed.contains(token), "\(run.printed)")
        }
        #expect(folder.text("step.md").contains("app=lamp"))
        await server.stop()
    }

    /// Apps that fare the same are in one error, and each summary that failed has a line.
    @Test(arguments: [
        (["buoy", "lamp"], "  summaries: buoy 2026-11-18, lamp 2026-11-18\n"),
        (["lamp"], "  summary: lamp 2026-11-18\n"),
    ])
    func aFailureNamesItsApps(refused: [String], named: String) async throws {
        let server = try await LoopbackServer.start { request in
            let isRefused = refused.contains { request.text.contains($0.capitalized) }
            return isRefused ? .text("no_service", status: 404) : .text("ok")
        }
        let folder = try await project("attach: [{to: slack, url: '${CHAT_URL}'}]\nretries: {attempts: 1}\n")
        let run = try await Program.run("attach", in: folder, environment: environment(server.origin))
        #expect(run.status == 1, "\(run.printed)")
        for app in ["buoy", "lamp"] {
            let line =
                refused.contains(app)
                ? "  ✗ \(app) 2026-11-18: failed\n" : "  + \(app) 2026-11-18: attached\n"
            #expect(run.output.contains(line), "\(run.output)")
        }
        let error = "error: Cannot send the summary to Slack (127.0.0.1) [attach.refused]\n" + named
        #expect(run.errors.contains(error), "\(run.errors)")
        #expect(run.errors.matches(of: /\[attach\.refused\]/).count == 1, "\(run.errors)")
        #expect(run.errors.contains("  hint: check that the URL leads to a webhook that exists"))
        #expect(!run.errors.contains("<redacted>") && !run.printed.contains(token), "\(run.errors)")
        await server.stop()
    }

    /// What was refused on its day is sent by the run that can, however many days later, and what is still unknown then is
    /// not said twice.
    @Test(arguments: [
        ("attention", "2026-11-17", "2026-11-20", "moorings 2026-11-16"),
        ("verdict", "2026-11-16", "2026-11-18", "sketchbook 4.2.2"),
        // No alert began on that day: one is open, which is news to a target that had nothing yet.
        ("attention", "2026-11-20", "2026-11-20", "sketchbook 2026-11-19"),
    ])
    func whatWasRefusedIsSentLater(row: (when: String, first: String, later: String, name: String))
        async throws
    {
        let refuses = Mutex(true)
        let server = try await LoopbackServer.start { _ in
            refuses.withLock { $0 } ? .text("no", status: 403) : .text("ok")
        }
        let project = try await DemoProject()
        try await project.takeArchive()
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml", text + "\nattach: [{to: slack, url: '${CHAT_URL}', when: \(row.when)}]\n")
        func attach(_ day: String) async throws -> Run {
            try await Program.run(
                "attach", "--as-of", "\(day)T06:30:00Z", in: project.folder,
                environment: environment(server.origin))
        }
        let refused = try await attach(row.first)
        #expect(refused.status == 1 && refused.errors.contains("[attach.refused]"), "\(refused.printed)")
        refuses.withLock { $0 = false }
        let later = try await attach(row.later)
        #expect(later.status == 0 && later.output.contains("+ \(row.name): attached"), "\(later.printed)")
        let again = try await attach(row.later)
        #expect(again.status == 0 && !again.output.contains("attached"), "\(again.printed)")
        await server.stop()
    }

    /// What is replaced shows the newest day that asks for attention, also one that could not be written at its time.
    @Test func aDayThatWasNotWrittenIsReplacedLater() async throws {
        let project = try await DemoProject()
        try await project.takeArchive()
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml", text + "\nattach: [{to: github-step, file: step.md, when: attention}]\n")
        try project.folder.write("step.md", String(repeating: "x", count: 1 << 20))
        func attach(_ day: String) async throws -> Run {
            try await Program.run("attach", "--as-of", "\(day)T06:30:00Z", in: project.folder)
        }
        let refused = try await attach("2026-11-17")
        #expect(refused.status == 1 && refused.errors.contains("[attach.no-room]"), "\(refused.printed)")
        try project.folder.write("step.md", "")
        let later = try await attach("2026-11-20")
        #expect(
            later.status == 0 && later.output.contains("+ moorings 2026-11-16: attached"), "\(later.printed)")
        #expect(project.folder.text("step.md").contains("app=moorings release=2026-11-16 "))
    }

    @Test func keepsReleaseNotesUpToDate() async throws {
        let notes = Mutex("Our words\r\n")
        let server = try await LoopbackServer.start { request in
            switch (request.method, request.path) {
            case ("GET", "/repos/team/lamp"): return .json(#"{"private":false}"#)
            case ("PATCH", "/repos/team/lamp/releases/5"):
                let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: String]
                notes.withLock { $0 = body?["body"] ?? "" }
                return .json(#"{"id":5}"#)
            case ("GET", "/repos/team/lamp/releases/tags/v1.4"):
                let body = try JSONSerialization.data(
                    withJSONObject: ["id": 5, "tag_name": "v1.4", "body": notes.withLock { $0 }])
                return StubResponse(body: Array(body))
            default: return .json("[]", status: request.path.hasSuffix("/releases") ? 200 : 404)
            }
        }
        let target =
            "attach: [{to: github-release, repository: team/lamp, app: lamp, token: '${GITHUB_TOKEN}', api: '\(server.origin)'"
        let folder = try await project(target + "}]\n")
        let refused = try await Program.run("attach", in: folder, environment: environment(server.origin))
        #expect(refused.status == 1 && refused.errors.contains("[attach.audience]"), "\(refused.printed)")
        #expect(notes.withLock { $0 } == "Our words\r\n")
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + target + ", audience: public}]\n")
        let run = try await Program.run("attach", in: folder, environment: environment(server.origin))
        #expect(run.status == 0 && run.output.contains("+ lamp 1.4: attached"), "\(run.printed)")
        let body = notes.withLock { $0 }
        #expect(body.hasPrefix("Our words\r\n\r\n<!-- plimsoll:begin app=lamp release=1.4 "))
        #expect(
            body.contains("Lamp 1.4") && !body.contains("Knot came loose") && !body.contains("Rope.swift"))
        let same = try await Program.run("attach", in: folder, environment: environment(server.origin))
        #expect(same.output.contains("1 up to date"))
        await server.stop()
    }

    /// What the public can read now is named, and written again for it, also outside the newest releases.
    @Test func notesForTheTeamAreWrittenAgainForThePublic() async throws {
        let tags = ["v4.2.2", "v4.3.0"]
        let notes = Mutex(["", ""])
        let isPrivate = Mutex(true)
        let server = try await LoopbackServer.start { request in
            if request.path == "/repos/team/lamp" {
                return .json(#"{"private":\#(isPrivate.withLock { $0 })}"#)
            }
            let last = request.path.split(separator: "/").last.map(String.init) ?? ""
            if request.method == "PATCH", let number = Int(last) {
                let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: String]
                notes.withLock { $0[number - 1] = body?["body"] ?? "" }
                return .json(#"{"id":\#(number)}"#)
            }
            guard let place = tags.firstIndex(of: last) else { return .json("{}", status: 404) }
            let release: [String: Any] = [
                "id": place + 1, "tag_name": last, "body": notes.withLock { $0[place] },
            ]
            return StubResponse(body: Array(try JSONSerialization.data(withJSONObject: release)))
        }
        let project = try await DemoProject()
        try await project.takeArchive()
        let text = project.folder.text("plimsoll.yml")
        let names = environment(server.origin)
        func attach(_ time: String, _ reader: String = "", _ arguments: String...) async throws -> Run {
            try project.folder.write(
                "plimsoll.yml",
                text + "\nattach: [{to: github-release, repository: team/lamp, app: sketchbook, "
                    + "releases: 1, \(reader)token: '${GITHUB_TOKEN}', api: '\(server.origin)'}]\n")
            return try await Program.run(
                Program.path, ["attach", "--as-of", "2026-11-20T\(time):00Z"] + arguments,
                in: project.folder.path, environment: names.merging(["HOME": project.folder.path]) { $1 })
        }
        let older = try await attach("06:30", "", "--release", "4.2.2")
        #expect(older.status == 0 && older.output.contains("1 attached"), "\(older.printed)")
        #expect(try await attach("06:31").output.contains("1 attached"))
        let before = notes.withLock { $0 }
        isPrivate.withLock { $0 = false }
        let refused = try await attach("06:40")
        #expect(refused.status == 1 && notes.withLock { $0 } == before, "\(refused.printed)")
        #expect(
            refused.errors.contains(
                "earlier ones for the team are there for all to read: sketchbook 4.2.2, sketchbook 4.3.0"),
            "\(refused.printed)")
        let open = try await attach("07:30", "audience: public, ")
        for release in ["4.2.2", "4.3.0"] {
            #expect(open.output.contains("+ sketchbook \(release): updated"), "\(open.printed)")
        }
        #expect(zip(before, notes.withLock { $0 }).allSatisfy { $0 != $1 && !$1.isEmpty })
        let again = try await attach("08:30", "audience: public, ")
        #expect(again.output.contains("1 up to date") && !again.output.contains("4.2.2"), "\(again.printed)")
        await server.stop()
    }

    /// Releases are made oldest first, and the newest version alone becomes the latest.
    @Test func releasesAreMadeInTheirOrder() async throws {
        let server = try await LoopbackServer.start { request in
            switch (request.method, request.path) {
            case ("GET", "/repos/team/lamp"): return .json(#"{"private":true}"#)
            case ("GET", "/repos/team/lamp/releases"): return .json("[]")
            case ("POST", _): return .json("{}", status: 201)
            default: return .json("{}", status: request.path.contains("/git/ref/tags/") ? 200 : 404)
            }
        }
        let project = try await DemoProject()
        try await project.takeArchive()
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml",
            text + "\nattach: [{to: github-release, repository: team/lamp, app: sketchbook, create: true, "
                + "releases: 2, token: '${GITHUB_TOKEN}', api: '\(server.origin)'}]\n")
        let run = try await Program.run(
            "attach", "--as-of", "2026-11-20T06:30:00Z", in: project.folder,
            environment: environment(server.origin))
        #expect(run.status == 0 && run.output.contains("2 attached"), "\(run.printed)")
        let made = try server.requests.filter { $0.method == "POST" }.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
        }
        #expect(made.map { $0["tag_name"] as? String } == ["v4.2.2", "v4.3.0"])
        #expect(made.map { $0["make_latest"] as? String } == ["false", "true"])
        #expect(made.allSatisfy { $0["prerelease"] as? Bool == false })
        await server.stop()
    }

    @Test func doctorTriesEachTargetAndChangesNothing() async throws {
        let server = try await LoopbackServer.start(
            answering: .json("{}", status: 401, headers: [("Date", "Thu, 19 Nov 2015 06:00:00 GMT")]))
        let folder = try await project(
            """
            attach:
              - {to: github-step, file: step.md}
              - {to: github-release, repository: team/lamp, token: "${GITHUB_TOKEN}", api: "\(server.origin)"}
              - {to: slack, url: "${CHAT_URL}", app: lamp}

            """)
        let run = try await Program.run("doctor", in: folder, environment: environment(server.origin))
        #expect(run.status == 1, "\(run.printed)")
        #expect(
            run.output.contains(
                "✓ attach to github-step (github-step)\n    place: \(folder.path)/step.md\n    would attach: buoy 2026-11-18, lamp 2026-11-18\n"
            ), "\(run.output)")
        #expect(run.output.contains("✗ attach to github-release") && run.errors.contains("Contents: write"))
        #expect(
            run.output.contains(
                "✓ attach to slack (slack)\n    place: Slack (127.0.0.1)\n    clock: this clock is "))
        #expect(run.output.matches(of: /clock: this clock is \d+ s ahead of the service/).count == 2)
        #expect(try !folder.names().contains("step.md"))
        #expect(server.requests.allSatisfy { $0.method == "GET" } && !run.printed.contains(token))
        let json = try await Program.run(
            "doctor", "--format", "json", in: folder, environment: environment(server.origin))
        #expect(json.status == 1 && json.output.contains("\"wouldAttach\" : ["))
        #expect(json.output.contains("\"clockAheadSeconds\" : -"))
        await server.stop()
    }

    @Test(arguments: [
        ("", [], 2, "[attach.no-targets]"),
        (
            "attach: [{to: github-step, file: s.md}]\n", ["--to", "github-stp"], 2,
            "did you mean 'github-step'?"
        ),
        ("attach: [{to: github-step, file: s.md}]\n", ["--app", "lmp"], 2, "did you mean 'lamp'?"),
        ("attach: [{to: github-step, file: s.md, app: lmp}]\n", [], 2, "[config.unknown-app]"),
        ("attach: [{to: github-step}]\n", [], 1, "[attach.no-step]"),
        (
            "attach: [{to: github-step, file: a}, {to: github-step, file: b}]\n", [], 2,
            "[config.duplicate-target]"
        ),
        ("attach: [{to: pigeon}]\n", [], 2, "[yaml.unknown-word]"),
        ("attach: [{url: x}]\n", [], 2, "[config.no-target-kind]"),
        ("attach: [{to: slack}]\n", [], 2, "[config.no-url]"),
        ("attach: [{to: slack, url: https://hooks.example/x}]\n", [], 2, "[config.literal-url]"),
        ("attach: [{to: slack, url: '${CHAT}', when: sometimes}]\n", [], 2, "[yaml.unknown-word]"),
        ("attach: [{to: mail, server: s, from: a, recipients: b@c}]\n", [], 1, "[attach.address]"),
        ("attach: [{to: github-step, file: s.md}]\n", ["--preview", "--dry-run"], 2, "not both"),
        ("attach: [{to: github-step, file: plimsoll.yml}]\n", [], 2, "[config.target-file]"),
        ("attach: [{to: github-step, file: ./archive.sqlite}]\n", [], 2, "[config.archive]"),
        ("attach: [{to: github-step, file: Content/notes/n.md}]\n", [], 2, "[config.target-file]"),
    ])
    func whatIsWrongIsReported(
        targets: String, arguments: [String], status: Int32, words: String
    ) async throws {
        let folder = try await project(targets)
        let run = try await Program.run(
            Program.path, ["attach"] + arguments, in: folder.path, environment: ["HOME": folder.path])
        #expect(run.status == status && run.errors.contains(words), "\(run.printed)")
    }

    /// A target that is not whole does not keep others from being shown.
    @Test func previewShowsTheOtherTargets() async throws {
        let folder = try await project(
            "attach: [{to: slack, url: '${NO_SUCH_URL}'}, {to: github-step, file: step.md, when: daily}]\n")
        let run = try await Program.run(
            Program.path, ["attach", "--preview"], in: folder.path, environment: ["HOME": folder.path])
        #expect(run.status == 1 && run.errors.contains("NO_SUCH_URL"), "\(run.printed)")
        #expect(run.output.contains("plimsoll:begin app=buoy"), "\(run.printed)")
    }

    /// Without an archive nothing is known of any app: that is no news to send.
    @Test(arguments: [[], ["--dry-run"], ["--preview"]])
    func nothingIsAttachedWithoutAnArchive(arguments: [String]) async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try await project("attach: [{to: slack, url: '${CHAT_URL}'}]\n")
        try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite")
        let names = try folder.names()
        let run = try await Program.run(
            Program.path, ["attach"] + arguments, in: folder.path, environment: environment(server.origin))
        #expect(run.status == 4 && run.errors.contains("[archive.missing]"), "\(run.printed)")
        #expect(try server.requests.isEmpty && folder.names() == names)
        await server.stop()
    }

    /// What has no page has no summary either, as `summary` says in the same words.
    @Test(arguments: [
        (["--day", "1999-01-01"], "Unknown day '1999-01-01' [attach.unknown-day]"),
        (["--day", "2026-11-25", "--app", "lamp"], "Unknown day '2026-11-25' [attach.unknown-day]"),
        (["--release", "nope"], "Unknown release 'nope' [attach.unknown-release]"),
        (["--week", "2030-W01"], "Week '2030-W01' is not over [attach.week-not-over]"),
        (["--week", "2016-W01"], "Unknown week '2016-W01' [attach.unknown-week]"),
    ])
    func whatHasNoPageIsNotAttached(arguments: [String], words: String) async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try await project(
            "attach: [{to: slack, url: '${CHAT_URL}'}, {to: github-step, file: step.md}]\n")
        for more in [[], ["--dry-run"], ["--preview"]] {
            let run = try await Program.run(
                Program.path, ["attach"] + arguments + more, in: folder.path,
                environment: environment(server.origin))
            #expect(run.status == 2 && run.errors.contains(words), "\(run.printed)")
            #expect(run.output.isEmpty && server.requests.isEmpty)
        }
        #expect(try !folder.names().contains("step.md"))
        await server.stop()
    }

    /// A week is none of the subjects of release notes.
    @Test func aWeekSendsNoReleaseNotes() async throws {
        let project = try await DemoProject()
        try await project.takeArchive()
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml",
            text + """

                attach:
                  - {to: github-release, repository: team/lamp, token: "${GITHUB_TOKEN}", app: sketchbook}
                  - {to: slack, url: "${CHAT_URL}"}

                """)
        let run = try await Program.run(
            "attach", "--preview", "--week", "2026-W46", "--as-of", "2026-11-20T06:30:00Z",
            in: project.folder, environment: environment("http://127.0.0.1:9"))
        #expect(run.status == 0 && run.output.contains("2026"), "\(run.printed)")
        #expect(!run.output.contains("plimsoll:begin"))
    }

    /// A week is of all apps: a command about one of them sends a part of it only where the week is named.
    @Test func aPartOfAWeekIsSentOnlyByItsName() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let project = try await DemoProject()
        try await project.takeArchive()
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml", text + "\nattach: [{to: slack, url: '${CHAT_URL}', when: weekly}]\n")
        let why = "a week is of all apps; attach without '--app', or name the week with '--week'"
        let rows: [(arguments: [String], line: String, messages: Int)] = [
            ([], "  + 2026-W46: attached\n", 1),
            (["--app", "sketchbook", "--dry-run"], "  – \(why)\n", 1),
            (["--app", "sketchbook"], ": nothing to attach\n", 1),
            (
                ["--app", "sketchbook", "--week", "2026-W46"], "  + sketchbook 2026-W46: attached\n", 2
            ),
            ([], ": 1 up to date\n", 2),
        ]
        for row in rows {
            let run = try await Program.run(
                Program.path, ["attach", "--as-of", "2026-11-20T06:30:00Z"] + row.arguments,
                in: project.folder.path, environment: environment(server.origin))
            #expect(run.status == 0 && run.output.contains(row.line), "\(run.printed)")
            #expect(server.requests.count == row.messages)
        }
        await server.stop()
    }

    /// A server that is down is tried for one summary; the next run sends all of them.
    @Test func aServerThatIsDownIsTriedOnce() async throws {
        let isDown = Mutex(true)
        let server = try await LoopbackServer.start { _ in
            isDown.withLock { $0 } ? .text("busy", status: 503) : .text("ok")
        }
        let folder = try await project("attach: [{to: slack, url: '${CHAT_URL}'}]\nretries: {attempts: 2}\n")
        func attach() async throws -> Run {
            try await Program.run("attach", in: folder, environment: environment(server.origin))
        }
        let down = try await attach()
        #expect(down.status == 1 && down.output.contains("✗ slack (Slack (127.0.0.1)): 2 failed"))
        #expect(down.errors.matches(of: /\[attach.refused\]/).count == 1, "\(down.printed)")
        #expect(server.requests.count == 1)
        isDown.withLock { $0 = false }
        let up = try await attach()
        #expect(up.status == 0 && up.output.contains("2 attached"), "\(up.printed)")
        await server.stop()
    }
}
