import AppHealth
import Diagnostics
import Transport

/// What earlier runs reported, and what must not take its place.
extension BugsnagRun {
    /// What the source provided in its last run.
    func providedBefore() -> Set<Capability> { describedBefore()?.capabilities ?? [] }

    /// The project, or why a source that had one has none.
    mutating func knownProject() async throws(ServiceFault) -> BugsnagProject {
        do throws(ServiceFault) {
            return try await project()
        } catch {
            throw describedBefore() == nil ? error : error.ofKnownSource
        }
    }

    /// Whether the days of a stage, which is not the configured one, would take the place of stored days of that one.
    func takesPlaceOfStored(_ stage: String) -> Bool {
        let wanted = configuration.releaseStage
        guard stage != wanted, let source = describedBefore(), source.capabilities.contains(.sessions) else {
            return false
        }
        return source.sessionDefinition.hasSuffix("release stage '\(wanted)'.")
    }

    /// Makes the fetch one that has failed: someone made another stage the project's primary one, and the days of the
    /// configured one are not to be had.
    mutating func addForeignTrend(of stage: String, at endpoint: BugsnagEndpoint) {
        let (wanted, stage) = (printable(configuration.releaseStage), printable(stage))
        let fault = parts.client.fault(
            .reported(
                .error(
                    "bugsnag.stage-changed",
                    "bugsnag: sessions and users are now of release stage '\(stage)', not '\(wanted)'",
                    details: ["they are not stored; the stored days of '\(wanted)' stay"],
                    at: .keyPath(
                        document: endpoint.text(below: configuration.base), path: "release_stage_name"),
                    hints: [
                        "make '\(wanted)' the project's primary release stage again",
                        """
                        or end the source with 'until', and add one with another 'id' and 'releaseStage: \(stage)'
                        """,
                    ])))
        parts.addMissing("sessions and users", fault, isNeeded: true)
    }
}
