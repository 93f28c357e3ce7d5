import AppHealth

/// The data of the demo: four made-up apps over 120 days, the same on every machine.
package enum DemoStory {
    /// The apps, by name.
    static let plans: [AppPlan] = [.lighthouse, .moorings, .sketchbook, .tidepool]

    /// All files, ordered by path.
    package static func files() -> [DemoFile] {
        plans.flatMap { plan in
            let final = plan.figures()
            return DemoCalendar.captures.map { capture in
                let text = SnapshotFile(plan: plan, final: final, capture: capture).text
                return DemoFile(
                    path: "\(plan.app)/\(capture.date).json", bytes: bytes(text, of: plan, at: capture))
            }
        }
    }

    /// The figures of an app as known in the end, oldest day first; empty for an app that is not in the demo.
    package static func figures(of app: String) -> [DayFigures] {
        plans.first { $0.app == app }?.figures() ?? []
    }

    private static func bytes(_ text: String, of plan: AppPlan, at capture: Instant) -> [UInt8] {
        let bytes = Array(text.utf8)
        return plan.truncatedCapture == capture.date ? Array(bytes.prefix(bytes.count * 3 / 5)) : bytes
    }
}

/// One file of the demo.
package struct DemoFile: Equatable, Sendable {
    /// Its path within the directory of the data, parts joined by `/`.
    package let path: String
    /// What it holds.
    package let bytes: [UInt8]
}
