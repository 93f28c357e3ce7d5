import Foundation

/// The demo's site, made once by the real program and only read.
struct DemoSite: Sendable {
    let folder: Folder
    let run: Run
    let tree: Tree

    static var shared: DemoSite {
        get async throws { try await made.value }
    }

    private static let made = Task {
        let folder = try Folder()
        folder.removeAtExit()
        let run = try await Program.run(
            "demo", "--threads", "2", in: folder, environment: ["TZ": "UTC", "LANG": "C"])
        return DemoSite(folder: folder, run: run, tree: try folder.tree("plimsoll-demo/site"))
    }
}

/// The folder with the bundled data of the checkout.
let bundled = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
