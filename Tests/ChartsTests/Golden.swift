import Foundation
import Testing

/// Compares a drawing with the stored one next to the tests; UPDATE_GOLDEN=1 rewrites it.
func expectGolden(_ actual: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
{
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Goldens/\(name)")
    // One element on a line, so that a difference can be read.
    let lines = actual.replacing("><", with: ">\n<") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try lines.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    #expect(
        lines == expected, "golden \(name) differs; UPDATE_GOLDEN=1 rewrites it",
        sourceLocation: sourceLocation)
}
