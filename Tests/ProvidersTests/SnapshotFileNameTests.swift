import AppHealth
import Testing

@testable import Providers

struct SnapshotFileNameTests {
    @Test(arguments: [
        ("sketch/2026-11-20.json", true), ("sketch-2026-11-20.json", true), ("sketch.json", true),
        ("sketch-book-2026-11-20.json", false), ("sketchbook-2026-11-20.json", false),
        ("sketch-.json", false),
        ("other/sketch-2026-11-20.json", true), ("2026-11-20.json", false), ("", false),
    ])
    func statesTheApp(path: String, expected: Bool) {
        #expect(SnapshotFileName(path).belongs(to: Slug(anyText: "sketch")) == expected)
    }

    @Test(arguments: [
        ("sketch-2026-11-20.json", "2026-11-20T00:00:00Z"), ("a/2026-11-20.json", "2026-11-20T00:00:00Z"),
        ("sketch-2026-11-20T06-30-15Z.json", "2026-11-20T06:30:15Z"),
        ("sketch-2026-11-20T063015Z.json", "2026-11-20T06:30:15Z"),
        ("sketch-2026-11-20T0630Z.json", "2026-11-20T06:30:00Z"),
        ("2026-11-20T06:30:15Z.json", "2026-11-20T06:30:15Z"),
        ("sketch-2026-13-20.json", nil), ("sketch-latest.json", nil), ("", nil), ("-----T------Z.json", nil),
        ("2026-11-20Té٣٤٥٦Z.json", nil),
    ])
    func statesTheTime(path: String, expected: String?) {
        #expect(SnapshotFileName(path).time?.description == expected)
    }

    @Test(arguments: [
        ("sketch/a.json", true), ("sketch-2026-11-20.json", true), ("2026-11-20.json", false),
        ("stray.json", false),
        ("a-b.json", false),
    ])
    func statesWhetherItNamesSomeApp(path: String, expected: Bool) {
        #expect(SnapshotFileName(path).namesAnApp == expected)
    }
}
