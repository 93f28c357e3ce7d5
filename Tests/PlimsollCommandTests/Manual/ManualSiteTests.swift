import Foundation
import Testing

/// The manual as the site that `make docs` builds.
struct ManualSiteTests {
    @Test func siteHasNoFaults() async throws {
        let folder = try Folder()
        let build = try await Program.run(
            "build", "--config", "\(bundled)/Content/manual/plimsoll.yml", "--output", "site", in: folder)
        #expect(build.status == 0, "\(build.printed)")
        #expect(build.errors == "", "\(build.errors)")
        let check = try await Program.run("check", "--site", "site", in: folder)
        #expect(check.status == 0, "\(check.printed)")
        #expect(!check.errors.contains("error:"), "\(check.errors)")
        let tree = try folder.tree("site")
        #expect(tree.paths("index.html").count == ManualPage.all.count)
        for name in ["methods/index.html", "sources/index.html", "feed.xml", "feed.json"] {
            #expect(tree.files[name] == nil, "a site without apps has no \(name)")
        }
        #expect(tree["providers/sentry/index.html"].contains("<th scope=\"col\">scope</th>"))
        #expect(tree["providers/index.html"].contains("href=\"sentry/index.html\""))
        #expect(tree["providers/index.md"].contains("](sentry/index.md)"))
    }
}
