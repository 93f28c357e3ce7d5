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
        ("2026-11-20Té٣٤٥٦Z.json", nil), ("sketch-2026-11-20.JSON", "2026-11-20T00:00:00Z"),
        ("sketch-2026-11-20.Csv.GZ", "2026-11-20T00:00:00Z"), ("sketch-20261120.csv", nil),
    ])
    func statesTheTime(path: String, expected: String?) {
        #expect(SnapshotFileName(path).time?.description == expected)
    }

    /// A date in another form, or behind another sign.
    @Test(arguments: [
        ("my-app-20261121.csv", "2026-11-21T00:00:00Z"), ("my_app_2026-11-21.csv", "2026-11-21T00:00:00Z"),
        ("20261121.csv", "2026-11-21T00:00:00Z"), ("events_20261121T060000Z.csv.gz", "2026-11-21T06:00:00Z"),
        ("S_D_80012345_20261118.txt", "2026-11-18T00:00:00Z"),
        ("report.20261118.TSV", "2026-11-18T00:00:00Z"),
        ("id_10121231.csv", nil), ("sketch-2026-11-20.csv", nil), ("installs_202611_overview.csv", nil),
        ("a_20261345.csv", nil), ("a20261120.csv", nil), ("a_٢٠٢٦١١٢٠.csv", nil), ("", nil),
    ])
    func readsATimeInAnotherForm(path: String, expected: String?) {
        #expect(SnapshotFileName(path).otherTime?.description == expected)
    }

    @Test(arguments: [("a.CSV", true), ("a.Tsv.GZ", true), ("a.csv.zst", false), ("a.JSON", false)])
    func theEndingSaysWhatItIs(path: String, isTable: Bool) {
        #expect(SnapshotFileName(path).isTable == isTable)
    }

    @Test(arguments: [
        ("sketch/a.json", true), ("sketch-2026-11-20.json", true), ("2026-11-20.json", false),
        ("stray.json", false),
        ("a-b.json", false), ("report_20261121.csv", false), ("report-20261121.csv", false),
    ])
    func statesWhetherItNamesSomeApp(path: String, expected: Bool) {
        #expect(SnapshotFileName(path).namesAnApp == expected)
    }
}
