import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// Crashes by kind of device on the page of issues.
struct DeviceTests {
    private func source(_ days: [DeviceDay], _ coverage: Coverage?) -> SourceHistory {
        var source = SourceHistory.make(health: [.make(0, sessions: 90)])
        source.deviceDays = days
        for day in days {
            if let coverage { source.coverage.state(CoverageSpan(.crashes, day.date...day.date, coverage)) }
        }
        return source
    }

    private func day(_ back: Int, _ device: String, _ crashes: Int?) -> DeviceDay {
        DeviceDay(date: .back(back), device: device, crashes: crashes)
    }

    private func check(
        _ days: [DeviceDay], _ coverage: Coverage?, _ rows: [String]?, _ partial: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let pages = AppPages(.make(source(days, coverage)), site: site)
        let table = pages.issues.devices
        #expect(
            table?.rows.map { plain("\($0.device) \($0.crashes) \($0.share)") ?? "" } == rows,
            sourceLocation: sourceLocation)
        #expect(table?.partial == partial, sourceLocation: sourceLocation)
        #expect(pages.issuesTables.map(\.name).contains("devices") == (rows != nil))
    }

    @Test func countsTheWindowByDevice() {
        let part = Coverage.partial(counted: nil, of: nil)
        check([], nil, nil)
        check([day(0, "iPhone", nil)], .complete, nil)
        // The day of the report and days before the window are not counted.
        check([day(-1, "iPhone", 3), day(28, "iPhone", 3)], .complete, nil)
        check(
            [day(0, "iPhone", 6), day(0, "iPad", 3), day(27, "iPad", 3), day(27, "Mac", 0)], .complete,
            ["iPad 6 50.0%", "iPhone 6 50.0%", "Mac 0 0%"], "Known on 2 of 28 days.")
        check(
            [day(0, "iPhone", 1)], part, ["iPhone 1 100%"],
            "Known on 1 of 28 days; partial coverage: counts are too low.")
        check([day(0, "iPhone", 0)], nil, ["iPhone 0 –"], "Known on 1 of 28 days.")
        let all = (0..<28).map { day($0, "iPhone", 1) }
        check(all, .complete, ["iPhone 28 100%"])
        check(all, part, ["iPhone 28 100%"], "Partial coverage: counts are too low.")
    }

    /// Crashes by device of another source than the issues are others, and are called so.
    @Test func aSourceOfItsOwnIsNamed() throws {
        var store = SourceHistory.make("store", knows: [.usage])
        store.deviceDays = [day(0, "iPhone", 4)]
        let crashes = SourceHistory.make("crashes", health: [.make(0, sessions: 90)])
        let report = AppAnalysis(.make(crashes, store), targets: .standard, asOf: reportTime)
        let pages = AppPages(report, site: site)
        let table = try #require(pages.issues.devices)
        #expect(
            table.span
                == "28 days to Wed, Jan 27, 2016, from 'store', which counts other crashes than the list above"
        )
        let data = try #require(pages.issuesTables.first { $0.name == "devices" })
        #expect(data.columns.last == "source" && data.rows.first?.last == .text("store"))
        let own = AppPages(.make(source([day(0, "iPhone", 4)], nil)), site: site).issues.devices
        #expect(own?.span == "28 days to Wed, Jan 27, 2016")
    }

    @Test func thePublicSeesSharesWhereCountsAreHidden() throws {
        let app = AppHistory.make(named: "Sketchbook").app
        let history = AppHistory(app: app, sources: [source([day(0, "iPhone", 4)], nil)])
        let analysis = AppAnalysis(
            history, targets: .standard, asOf: reportTime, audience: Audience(.public, counts: .hidden))
        let table = try #require(AppPages(analysis, site: site).issues.devices)
        #expect(table.hidesCounts && table.rows.map(\.crashes) == ["–"])
        #expect(table.rows.map(\.share) == ["100%"])
    }
}
