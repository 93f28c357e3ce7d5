import LoopbackServer

/// A project after a first good night, made once; tests go on from copies of it.
struct FirstNight: Sendable {
    let folder: Folder
    let run: Run
    let tree: Tree

    static var shared: FirstNight {
        get async throws { try await made.value }
    }

    private static let made = Task {
        let server = try await BugsnagStub.start(lastDay: 18)
        let folder = try Folder()
        folder.removeAtExit()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        let run = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        return FirstNight(folder: folder, run: run, tree: try folder.tree("site"))
    }

    /// The next night: Buoy has new figures, Ferry is looked for at an address.
    static func second(
        asking origin: String, secret: String = "token: ${QUAY_TOKEN}", timeout: Int = 60,
        environment: [String: String] = ["QUAY_TOKEN": token]
    ) async throws -> (folder: Folder, run: Run) {
        let folder = try Folder(copyOf: try await shared.folder)
        try folder.write(
            "plimsoll.yml", Quay.configuration(bugsnag: origin, day: 20, secret: secret, timeout: timeout))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let run = try await Program.run("run", "--threads", "1", in: folder, environment: environment)
        return (folder, run)
    }
}
