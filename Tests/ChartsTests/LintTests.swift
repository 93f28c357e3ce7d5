import Foundation
import Testing

/// Every stored drawing is read by a real XML parser, where there is one.
struct LintTests {
    private static let tool = ["/usr/bin/xmllint", "/usr/local/bin/xmllint"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled(if: tool != nil, "xmllint is not installed (libxml2-utils)"))
    func everyGoldenIsXML() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".svg")
        }
        #expect(files.count > 60)
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.tool))
        process.arguments = ["--noout", "--nonet"] + files.sorted().map { folder + "/" + $0 }
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
