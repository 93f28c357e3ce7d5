import AppHealth
import Foundation

/// The world as devices send it home themselves: only those that share diagnostics, once a day at the end of their own
/// day, each build with calls of its own, and no user.
enum MetricKitWindow {
    /// The world in which the problem of each build is one of its own, called as its signature is.
    static func seen(_ world: World) -> World {
        let builds = world.builds.count
        let problems = world.problems.enumerated().flatMap { place, problem in
            world.builds.enumerated().map { version, build in
                let number = place * builds + version
                return World.Problem(
                    id: "\(reason(problem.kind)) \(binary(build))+\(4000 + place)",
                    title: "Fault \(number) in Deck", kind: problem.kind, days: problem.days)
            }
        }
        return world.grouped(as: problems) { $0.problem * builds + $0.version }
    }

    /// Seven of ten people share diagnostics.
    static func shares(_ seen: World.Occurrence) -> Bool { seen.user.map { $0 % 10 < 7 } ?? false }

    /// Whether the device had sent it by then: at the end of its day, or when it was next connected.
    static func isDelivered(_ seen: World.Occurrence, _ view: WorldView) -> Bool {
        shares(seen) && delivery(seen) <= view.now
    }

    /// The day of the device in whose middle hours it is counted.
    static func day(_ seen: World.Occurrence) -> Int {
        let local = seen.at.advanced(bySeconds: offset(seen.user ?? 0))
        return World.first.days(to: local.date)
    }

    /// Payloads by the day on which they came.
    static func files(_ view: WorldView) -> [(path: String, text: String)] {
        let seen = view.occurrences.filter { isDelivered($0, view) }
        let byDevice = Dictionary(grouping: seen) {
            Payload(user: $0.user ?? 0, day: day($0), at: delivery($0))
        }
        let sent = byDevice.map { ($0.key.at, diagnostics($0.key, $0.value, view.world)) } + metrics(view)
        let byDay = Dictionary(grouping: sent) { $0.0.date }
        return byDay.map { date, sent in
            let texts = sent.map { WorldView.json($0.1) }.sorted()
            return ("payloads/\(date).json", "[\(texts.joined(separator: ","))]")
        }
    }

    private struct Payload: Hashable {
        let user: Int
        let day: Int
        let at: Instant

        /// Its span in UTC.
        var span: [String: Any] {
            let begin = Instant(startOf: World.date(day)).advanced(bySeconds: -offset(user))
            return [
                "timeStampBegin": text(begin), "timeStampEnd": text(begin.advanced(bySeconds: 86_400)),
            ]
        }
    }

    /// Devices live in three zones.
    private static func offset(_ user: Int) -> Int { [0, 9, -8][user % 3] * 3600 }

    private static func end(_ user: Int, _ day: Int) -> Instant {
        Instant(startOf: World.date(day + 1)).advanced(bySeconds: -offset(user))
    }

    private static func delivery(_ seen: World.Occurrence) -> Instant {
        max(end(seen.user ?? 0, day(seen)), seen.arrived)
    }

    private static func text(_ instant: Instant) -> String {
        instant.description.replacing("T", with: " ").replacing("Z", with: " +0000")
    }

    private static func reason(_ kind: Issue.Kind) -> String {
        switch kind {
        case .crash: "Crash EXC_BAD_ACCESS SIGSEGV"
        case .hang: "Hang"
        case .error: "Too much CPU"
        }
    }

    private static func binary(_ build: World.Build) -> String {
        "CA12CAFA-91BA-3E1C-BE9C-E34DB96FE\(build.build)"
    }

    private static func diagnostics(
        _ payload: Payload, _ seen: [World.Occurrence], _ world: World
    ) -> [String: Any] {
        var result = payload.span
        for seen in seen {
            let (problem, build) = (world.problems[seen.problem], world.builds[seen.version])
            var facts: [String: Any] = [
                "appVersion": build.name, "appBuildVersion": build.build,
                "osVersion": "iPhone OS 26.1 (23B82)",
                "deviceType": "iPhone17,1", "regionFormat": "PT", "platformArchitecture": "arm64e",
            ]
            if problem.kind == .crash { (facts["signal"], facts["exceptionType"]) = (11, 1) }
            let offset = Int(problem.id.split(separator: "+").last ?? "") ?? 0
            let frame: [String: Any] = [
                "binaryUUID": binary(build), "binaryName": problem.title, "sampleCount": 1,
                "offsetIntoBinaryTextSegment": offset, "address": 4_310_988_076,
            ]
            let stack: [String: Any] = ["threadAttributed": true, "callStackRootFrames": [frame]]
            let diagnostic: [String: Any] = [
                "version": "1.0.0", "diagnosticMetaData": facts,
                "callStackTree": ["callStackPerThread": true, "callStacks": [stack]] as [String: Any],
            ]
            let list = list(problem.kind)
            result[list] = (result[list] as? [[String: Any]] ?? []) + [diagnostic]
        }
        return result
    }

    private static func list(_ kind: Issue.Kind) -> String {
        switch kind {
        case .crash: "crashDiagnostics"
        case .hang: "hangDiagnostics"
        case .error: "cpuExceptionDiagnostics"
        }
    }

    /// What every tenth device sends each day, whether anything crashed or not.
    private static func metrics(_ view: WorldView) -> [(Instant, [String: Any])] {
        (0...max(0, view.today)).flatMap { day in
            (view.world.users.indices.contains(day) ? view.world.users[day].sorted() : []).compactMap {
                user in
                let sent = end(user, day)
                guard user % 10 == 1, sent <= view.now else { return nil }
                var payload = Payload(user: user, day: day, at: sent).span
                payload["appVersion"] = view.world.builds[0].name
                payload["metaData"] = ["appBuildVersion": view.world.builds[0].build]
                payload["applicationExitMetrics"] = [
                    "foregroundExitData": ["cumulativeNormalAppExitCount": 3],
                    "backgroundExitData": [String: Int](),
                ]
                return (sent, payload)
            }
        }
    }
}
