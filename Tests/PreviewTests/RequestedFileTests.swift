import Foundation
import Testing

@testable import Preview

struct RequestedFileTests {
    /// A site with a page, a data file, a name with a space, a hidden file and a link that leads out of it; next to it
    /// a secret.
    private final class Folder {
        let path = NSTemporaryDirectory() + "plimsoll-preview-" + UUID().uuidString
        var site: String { path + "/site" }

        init() throws {
            for file in [
                "site/index.html", "site/apps/a/index.html", "site/a b.txt", "site/.hidden", "secret.txt",
            ] {
                let url = URL(fileURLWithPath: path + "/" + file)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.utf8).write(to: url)
            }
            try FileManager.default.createSymbolicLink(
                atPath: site + "/out.txt", withDestinationPath: path + "/secret.txt")
            try FileManager.default.createSymbolicLink(atPath: site + "/up", withDestinationPath: path)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// The path of a request, and what it leads to: a file below the site, `→` and an address, or nothing.
    @Test(arguments: [
        ("/", "index.html"), ("/index.html", "index.html"), ("//index.html", "index.html"),
        ("/apps/a/", "apps/a/index.html"), ("/apps/a", "→/apps/a/"), ("/apps/", nil),
        ("/a%20b.txt", "a b.txt"),
        ("/index.html/", nil), ("/none.html", nil), ("", nil), ("index.html", nil), ("/../secret.txt", nil),
        ("/%2e%2e/secret.txt", nil), ("/apps/..%2f..%2fsecret.txt", nil), ("/apps/../index.html", nil),
        ("/..\\secret.txt", nil), ("/.hidden", nil), ("/out.txt", nil), ("/up/secret.txt", nil),
        ("/up/", nil),
        ("/index.html%00", nil), ("/%zz", nil), ("/%+5", nil), ("/%", nil), ("/%ff", nil), ("/%E2%82", nil),
    ])
    func addressLeadsToAFileOfTheSiteOrNowhere(target: String, expected: String?) throws {
        let folder = try Folder()
        let found: String? =
            switch RequestedFile(target, in: folder.site) {
            case .file(let path): String(path.dropFirst(folder.site.utf8.count + 1))
            case .folder(let address): "→" + address
            case .nothing: nil
            }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", true), ("127.0.0.1", true), ("localhost:1", true), ("LocalHost", true),
        ("evil.example:8080", false), ("127.0.0.1.evil.example", false), ("", false), ("[::1]:80", false),
    ])
    func onlyOwnNamesAreAnswered(host: String, isOwn: Bool) {
        #expect(isOwnName(host) == isOwn)
    }

    @Test(arguments: [
        ("a/index.html", "text/html; charset=utf-8"), ("a.md", "text/markdown; charset=utf-8"),
        ("chart-a.svg", "image/svg+xml"), ("feed.xml", "application/atom+xml; charset=utf-8"),
        ("a/feed.json", "application/feed+json; charset=utf-8"),
        ("sitemap.xml", "application/xml; charset=utf-8"), ("data.json", "application/json; charset=utf-8"),
        ("a.webmanifest", "application/manifest+json; charset=utf-8"),
        ("a.js", "text/javascript; charset=utf-8"), ("a.gif", "image/gif"), ("a.avif", "image/avif"),
        ("a.pdf", "application/pdf"), ("a.wasm", "application/wasm"), ("A.PNG", "image/png"),
        ("html", "application/octet-stream"),
        ("site.a1b2.css", "text/css; charset=utf-8"), ("a.woff", "font/woff"), ("a.woff2", "font/woff2"),
        ("a.ttf", "font/ttf"), ("a.otf", "font/otf"), ("LICENSE", "application/octet-stream"),
    ])
    func typeFollowsTheEnding(path: String, type: String) {
        #expect(contentType(of: path) == type)
    }

    /// What the preview sends with a page allows all that the page allows itself.
    @Test func policyIsThatOfTheDefaultLayout() throws {
        let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let layout = try String(
            contentsOf: project.appendingPathComponent("Themes/default/templates/partials/layout.html"),
            encoding: .utf8)
        let policy = try #require(layout.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
        #expect(contentPolicy(of: "text/html; charset=utf-8") == policy + "; frame-ancestors 'none'")
    }

    /// A single file has its style sheet inside; a browser holds it against the header and its own `meta`.
    @Test(arguments: [
        ("<!doctype html>\n<!-- Single file by plimsoll -->\n<style>a{}</style>", "'unsafe-inline'"),
        ("<!doctype html>\n<style>a{}</style>", "'self'"),
    ])
    func singleFileMayHaveItsStyle(page: String, styles: String) throws {
        let folder = try Folder()
        try Data(page.utf8).write(to: URL(fileURLWithPath: folder.site + "/a.html"))
        let request = PreviewRequest(head: Array("GET /a.html HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        let answer = PreviewSite(folder: folder.site).answer(try #require(request))
        let policy = try #require(answer.headers.first { $0.name == "Content-Security-Policy" }?.value)
        #expect(policy.contains("style-src \(styles);"))
    }
}
