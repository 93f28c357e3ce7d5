import AppHealth
import Foundation
import Testing

@testable import Providers

/// The data of `plimsoll demo`, where it lies in the checkout.
struct DemoDataTests {
    static let folder = fixture("../../../Content/demo/data")

    static var apps: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test(.enabled(if: !apps.isEmpty, "there is no demo data"))
    func everyAppHasSnapshotsAndEveryFileIsAccountedFor() async throws {
        for name in Self.apps {
            let provider = FilesProvider(try FilesConfiguration(Self.folder), sender: client())
            let outcome = await provider.fetch(app(name), at: runTime)
            let files = try SnapshotFolder(Self.folder).entries().filter { $0.relative.hasPrefix("\(name)/") }
            #expect(!outcome.snapshots.isEmpty, "\(name)")
            #expect(outcome.snapshots.count + outcome.failures.count == files.count, "\(name)")
        }
    }
}
