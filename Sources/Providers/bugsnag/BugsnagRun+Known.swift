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

    /// The stages of stored days of which days of another stage would take the place, which they may not; nil where
    /// nothing is lost. Where the first fetch found another primary stage than the configured one, any other may follow.
    func stagesReplaced(by stage: String) -> BugsnagStages? {
        guard let source = describedBefore(), source.capabilities.contains(.sessions),
            let stored = BugsnagStages(in: source.sessionDefinition), stored.counted != stage
        else { return nil }
        let wasMeant = stored.counted == stored.configured || stored.configured != configuration.releaseStage
        return wasMeant ? stored : nil
    }

    /// That another stage was written into the configuration of a source that has data: its days and its issues would take
    /// the place of the stored ones.
    func reconfigured(_ stored: BugsnagStages) -> ServiceFault {
        let (old, new) = (printable(stored.counted), printable(configuration.releaseStage))
        return parts.client.fault(
            .reported(
                .error(
                    "bugsnag.stage-changed",
                    "bugsnag: this source reported release stage '\(old)', not '\(new)'",
                    details: ["nothing was stored; the stored days of '\(old)' stay"],
                    at: .address(configuration.base.description),
                    hints: [
                        "end the source of '\(old)' with 'until', and add one with another 'id' for '\(new)'"
                    ])))
    }

    /// Makes the fetch one that has failed: someone made another stage the project's primary one, and the days of the
    /// configured one are not available.
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
