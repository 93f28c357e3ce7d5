import Analysis
import AppHealth
import Configuration
import Testing

struct AlertsReaderTests {
    @Test func settingsOfAnAppOverrideThoseOfAll() throws {
        let read = try configuration(
            """
            alerts:
              show: alerts
              newIssue: { limit: 5, leastUsers: 20 }
              velocity: { leastShare: 2.5 }
              stability: { leastPoints: 1 }
              newNote: false
            apps:
              - id: harbour
                sources: [{provider: files, path: data}]
              - id: buoy
                alerts:
                  show: everything
                  newIssue: { limit: 2 }
                  velocity: false
                  newNote: true
                sources: [{provider: files, path: data}]

            """)
        let all = AlertSettings(
            show: .alerts,
            kinds: [
                .newIssue: .init(isOn: true, limit: 5, least: AlertLevel(users: 20)),
                .velocity: .init(isOn: true, least: AlertLevel(share: 2.5)),
                .stability: .init(isOn: true, least: AlertLevel(points: 1)), .newNote: .init(isOn: false),
            ])
        #expect(read.apps.first?.alerts == all)
        var buoy = all
        buoy.show = .everything
        buoy[.newIssue].limit = 2
        buoy[.velocity].isOn = false
        buoy[.newNote].isOn = true
        #expect(read.apps.last?.alerts == buoy)
        #expect(try configuration(oneApp).apps.first?.alerts == .standard)
    }

    /// What is off from what was expected may be so by more than all of it.
    @Test(arguments: ["stability", "usage"]) func aDifferenceGoesBeyondOneHundredPercent(kind: String) throws
    {
        let read = try configuration("alerts: {\(kind): {leastShare: 150}}\n" + oneApp)
        let key = try #require(EventKind(key: kind))
        #expect(read.apps.first?.alerts[key].least == AlertLevel(share: 150))
    }

    @Test(arguments: [
        Case("kind", "alerts:\n  newIsue: false\n" + oneApp, "yaml.unknown-key 2:3 did you mean 'newIssue'?"),
        Case(
            "kind of an app",
            "apps:\n  - id: a\n    alerts: {velocty: false}\n    sources: [{provider: files, path: data}]\n",
            "yaml.unknown-key 3:14 did you mean 'velocity'?"),
        Case(
            "key of a kind", "alerts:\n  newIssue: {limt: 5}\n" + oneApp,
            "yaml.unknown-key 2:14 did you mean 'limit'?"),
        Case(
            "figure that the kind has not", "alerts:\n  newNote: {leastUsers: 5}\n" + oneApp,
            "yaml.unknown-key 2:13 use one of: limit"),
        Case("show", "alerts: {show: alert}\n" + oneApp, "yaml.unknown-word 1:16 did you mean 'alerts'?"),
        Case("flag", "alerts: {newNote: off}\n" + oneApp, "yaml.wrong-type 1:19"),
        Case("no limit", "alerts: {newNote: {limit: 0}}\n" + oneApp, "yaml.wrong-type 1:27"),
        Case("half a limit", "alerts: {newNote: {limit: 1.5}}\n" + oneApp, "yaml.wrong-type 1:27"),
        Case("share", "alerts: {velocity: {leastShare: 101}}\n" + oneApp, "yaml.wrong-type 1:33"),
        Case("difference", "alerts: {usage: {leastShare: 10001}}\n" + oneApp, "yaml.wrong-type 1:30"),
        Case(
            "list", "alerts: [newNote]\n" + oneApp,
            "yaml.wrong-type 1:9 write keys: show, \(EventKind.allCases.map(\.key).joined(separator: ", "))"),
    ])
    func faultsAreReportedWithTheirPlace(one: Case) { check(one) }
}
