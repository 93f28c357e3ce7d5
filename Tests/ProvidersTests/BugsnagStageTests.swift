import AppHealth
import Diagnostics
import LoopbackServer
import Synchronization
import Testing

@testable import Providers

/// The release stage of stored days over successive nights: each knows what the one before stored.
struct BugsnagStageTests {
    /// A night: the project's primary stage, nil where it is said to have no sessions, and the configured one.
    struct Night: Sendable {
        var primary: String?
        var configured: String
        /// The stage of the days that are stored after it.
        var stored: String
        /// The beginning of why it failed, after the provider's name; nil for a good one.
        var failure: String?
        /// The same of a warning.
        var warning: String?

        init(
            _ primary: String?, _ configured: String, _ stored: String, failure: String? = nil,
            warning: String? = nil
        ) {
            (self.primary, self.configured, self.stored) = (primary, configured, stored)
            (self.failure, self.warning) = (failure, warning)
        }
    }

    private static let mismatch = "sessions and users are of release stage 'production', not 'beta'"
    private static let reconfigured = "this source reported release stage 'production', not 'beta'"

    @Test(
        arguments: [
            // Another stage is configured, and a night later it is the primary one.
            [
                Night("production", "production", "production"),
                Night("production", "beta", "production", warning: mismatch),
                Night("production", "beta", "production", warning: mismatch),
                Night("beta", "beta", "production", failure: reconfigured),
                Night("production", "production", "production"),
            ],
            // The same with a night between them that has no sessions.
            [
                Night("production", "production", "production"),
                Night(nil, "beta", "production", warning: "the project has no sessions yet"),
                Night("beta", "beta", "production", failure: reconfigured),
            ],
            // The first fetch finds another primary stage, and what it advises is done.
            [
                Night("production", "beta", "production", warning: mismatch),
                Night("production", "beta", "production", warning: mismatch),
                Night(
                    "beta", "beta", "beta",
                    warning: "sessions and users are now of release stage 'beta', not 'production'"),
                Night("beta", "beta", "beta"),
                Night(
                    "production", "beta", "beta",
                    failure: "sessions and users are now of release stage 'production', not 'beta'"),
            ],
            // Or its other advice, and both later.
            [
                Night("production", "beta", "production", warning: mismatch),
                Night("production", "production", "production"),
                Night("production", "beta", "production", warning: mismatch),
                Night("beta", "beta", "production", failure: reconfigured),
            ],
            // Nothing advised a third one.
            [
                Night(
                    "gamma", "beta", "gamma",
                    warning: "sessions and users are of release stage 'gamma', not 'beta'"),
                Night(
                    "production", "beta", "gamma",
                    failure: "sessions and users are now of release stage 'production', not 'gamma'"),
                Night(
                    "gamma", "beta", "gamma",
                    warning: "sessions and users are of release stage 'gamma', not 'beta'"),
            ],
            // A night without sessions changes nothing.
            [
                Night("production", "beta", "production", warning: mismatch),
                Night(nil, "beta", "production", warning: "the project has no sessions yet"),
                Night("production", "beta", "production", warning: mismatch),
            ],
        ] as [[Night]])
    func storedDaysStayOfOneStage(nights: [Night]) async throws {
        let primary = Mutex<String?>(nil)
        let stub = try await StubBugsnag.start { request in
            guard request.path.hasSuffix("/stability_trend") else { return nil }
            guard let stage = primary.withLock({ $0 }) else { return .json("", status: 204) }
            return .json(Self.trend(of: stage))
        }
        var source: Source?
        var stored: String?
        for (index, night) in nights.enumerated() {
            primary.withLock { $0 = night.primary }
            var configuration = try stub.configuration()
            configuration.releaseStage = night.configured
            var provider = try BugsnagProvider(configuration, sender: client())
            provider.describedBefore = { [source] in source }
            let outcome = await provider.fetch(app("sketchbook"), at: runTime)
            let snapshot = outcome.snapshots.first
            if snapshot?.health.isEmpty == false { stored = night.primary }
            source = snapshot?.source ?? source
            #expect(stored == night.stored, "night \(index)")
            #expect(
                outcome.failures.map(\.why.summary)
                    == [night.failure].compactMap { $0.map { "bugsnag: \($0)" } },
                "night \(index)")
            let warnings = (snapshot?.warnings ?? []).filter {
                ["bugsnag.release-stage", "bugsnag.no-sessions"].contains($0.id)
            }
            #expect(
                warnings.map(\.summary) == [night.warning].compactMap { $0.map { "bugsnag: \($0)" } },
                "night \(index)")
            #expect(warnings.allSatisfy { !$0.hints.isEmpty })
            #expect(source?.sessionDefinition.contains("release stage '\(night.stored)'") == true)
            #expect(source?.capabilities.isSuperset(of: [.sessions, .users]) == true)
        }
        await stub.server.stop()
    }

    private static func trend(of stage: String) -> String {
        """
        {"release_stage_name":"\(stage)","timeline_points":[{"bucket_start":"2026-11-18T00:00:00Z",\
        "bucket_end":"2026-11-19T00:00:00Z","total_sessions_count":80,"unhandled_sessions_count":2,\
        "users_seen":30,"users_with_unhandled":1}]}
        """
    }
}
