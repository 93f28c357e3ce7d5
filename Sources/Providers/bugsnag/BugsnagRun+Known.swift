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

    /// The stages of the stored days; nil without any.
    func storedStages() -> BugsnagStages? {
        guard let source = describedBefore(), source.capabilities.contains(.sessions) else { return nil }
        return BugsnagStages(in: source.sessionDefinition)
    }

    /// The stages of days that are stored together with those of before. A stage that was configured later is not named:
    /// else it could take their place in a later night.
    func stages(counted: String, after stored: BugsnagStages?) -> BugsnagStages {
        let isFirst = stored.map { $0.configured == configuration.releaseStage } ?? true
        return BugsnagStages(counted: counted, configured: isFirst ? configuration.releaseStage : counted)
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

    /// Makes the fetch one that has failed: someone made another stage the project's primary one, and days of the one that
    /// is stored are not available.
    mutating func addForeignTrend(
        of stage: String, after stored: BugsnagStages, at endpoint: BugsnagEndpoint
    ) {
        let (wanted, stage) = (printable(stored.counted), printable(stage))
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

    /// Warns where the days are of another stage than the configured one, or of another one than before.
    ///
    /// - Parameter stored: the stages of the days that were stored before; nil without any.
    mutating func addStageWarning(
        of counted: String, after stored: BugsnagStages?, at endpoint: BugsnagEndpoint
    ) {
        let (stage, wanted) = (printable(counted), printable(configuration.releaseStage))
        if let stored, stored.counted != counted {
            let old = printable(stored.counted)
            return addStageWarning(
                "sessions and users are now of release stage '\(stage)', not '\(old)'",
                details: ["the service's days took the place of those of '\(old)'; older ones stay"],
                at: endpoint,
                hints: ["for days of '\(stage)' alone, add a source with another 'id' in place of this one"])
        }
        guard counted != configuration.releaseStage else { return }
        let summary = "sessions and users are of release stage '\(stage)', not '\(wanted)'"
        guard let stored, stored.configured != configuration.releaseStage else {
            return addStageWarning(
                summary, at: endpoint,
                hints: ["make '\(wanted)' the project's primary release stage, or configure the other one"])
        }
        addStageWarning(
            summary, details: ["days of '\(wanted)' may not replace the stored ones of '\(stage)'"],
            at: endpoint,
            hints: [
                "set 'releaseStage: \(stage)'",
                """
                or end the source with 'until', make '\(wanted)' the project's primary release stage, and add a source \
                with another 'id' for it
                """,
            ])
    }

    private mutating func addStageWarning(
        _ summary: String, details: [String] = [], at endpoint: BugsnagEndpoint, hints: [String]
    ) {
        parts.add(
            .warning(
                "bugsnag.release-stage", "bugsnag: \(summary)", details: details,
                at: .keyPath(
                    document: endpoint.text(below: configuration.base), path: "release_stage_name"),
                hints: hints))
    }
}
