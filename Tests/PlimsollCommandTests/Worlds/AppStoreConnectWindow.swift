import AppHealth
import AppStoreConnectStub
import Foundation
import LoopbackServer
import Synchronization

/// The world as a store's analytics reports show it: only of people who share analytics, rows of at least five devices,
/// all crashes as one, each day in the instances of the five days after it, the newest of which holds.
enum AppStoreConnectWindow {
    static let issue = "all-crashes"

    /// The world in which all crashes are one problem, and nothing else is seen.
    static func seen(_ world: World) -> World {
        let all = World.Problem(
            id: issue, title: "All crashes, whatever their cause", kind: .crash,
            days: 0...(World.dayCount - 1))
        return world.grouped(as: [all]) { world.problems[$0.problem].kind == .crash ? 0 : nil }
    }

    /// Seven of ten people share analytics.
    static func shares(_ user: Int?) -> Bool { user.map { $0 % 10 < 7 } ?? false }

    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        let kept = KeptReports(world)
        return { request in
            StubAppStoreConnect.respond(
                to: request, of: kept.reports(on: World.first.days(to: clock.now.date)),
                at: Int(Date().timeIntervalSince1970))
        }
    }

    /// The reports of a night, which cost much to make.
    private final class KeptReports: Sendable {
        private let world: World
        private let made = Mutex<(day: Int, reports: StubReports)?>(nil)

        init(_ world: World) { self.world = world }

        func reports(on day: Int) -> StubReports {
            made.withLock { made in
                if let made, made.day == day { return made.reports }
                let reports = AppStoreConnectWindow.reports(world, on: day)
                made = (day, reports)
                return reports
            }
        }
    }

    /// The last instance is of the day before; 35 are listed, and older ones need not be made.
    private static func reports(_ world: World, on day: Int) -> StubReports {
        let views = (0..<max(day, 1)).map { place in
            (place, place < day - 36 ? nil : WorldView(world, at: World.morning(of: place)))
        }
        var reports = StubReports([
            ("App Sessions Standard", views.map { instance($0, StubReports.sessionColumns, sessions) }),
            (
                "App Store Installation and Deletion Standard",
                views.map { instance($0, StubReports.installColumns) { _, _ in [] } }
            ),
            ("App Crashes", views.map { instance($0, StubReports.crashColumns, crashes) }),
        ])
        (reports.instancesOfPage, reports.listedInstances) = (200, 35)
        reports.builds = world.builds.filter { $0.day <= day }.reversed().map {
            StubReports.Build($0.build, $0.name, Instant(startOf: World.date($0.day)).description)
        }
        return reports
    }

    /// What was processed on a day: the five days before it.
    private static func instance(
        _ processed: (day: Int, view: WorldView?), _ columns: String,
        _ rows: (Int, WorldView) -> [String]
    ) -> StubReports.Instance {
        let day = processed.day
        guard let view = processed.view else { return StubReports.Instance("\(World.date(day))", columns) }
        let lines = (max(0, day - 5)..<day).flatMap { rows($0, view) }
        return StubReports.Instance(
            "\(World.date(day))", ([columns] + lines).map { $0 + "\n" }.joined())
    }

    private static let devices = ["iPad", "iPhone"]

    /// The kind of device that a user has.
    static func device(_ user: Int) -> String { user % 4 == 0 ? devices[0] : devices[1] }

    private static func sessions(_ day: Int, _ view: WorldView) -> [String] {
        let truth = WorldTruth(view)
        return view.world.builds.enumerated().flatMap { version, build -> [String] in
            let users = truth.users(day, version).filter { shares($0) }
            return devices.compactMap { device in
                let some = users.filter { self.device($0) == device }.count
                guard some >= 5 else { return nil }
                let sessions = view.sessions(day, version) * 7 / 10 * (device == devices[0] ? 1 : 3) / 4
                return StubReports.sessions(
                    "\(World.date(day))", build.name, device, "\(sessions)", devices: "\(some)")
            }
        }
    }

    private static func crashes(_ day: Int, _ view: WorldView) -> [String] {
        let seen = view.on(day).filter { view.world.problems[$0.problem].kind == .crash && shares($0.user) }
        return view.world.builds.enumerated().flatMap { version, build -> [String] in
            devices.compactMap { device in
                let some = seen.filter { $0.version == version && self.device($0.user ?? 0) == device }
                guard Set(some.compactMap(\.user)).count >= 5 else { return nil }
                return StubReports.crashes("\(World.date(day))", build.name, device, "\(some.count)")
            }
        }
    }
}
