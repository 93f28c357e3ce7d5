import Transport

// The documented limits and rights of all services, in one place.
extension ServiceTerms {
    static func bugsnag(_ configuration: BugsnagConfiguration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: RateLimit(30, perSeconds: 60),
            limitSource: "BugSnag, Data Access API, rate limiting: for a token, told as X-RateLimit-Limit",
            rights: ["a personal auth token of a user who may see the project"],
            mostRequests: configuration.mostRequests)
    }

    static func sentry(_ configuration: SentryConfiguration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: nil,
            limitSource:
                "docs.sentry.io/api/ratelimits: no number; X-Sentry-Rate-Limit-Remaining and -Reset are heeded",
            rights: sentryRights, mostRequests: configuration.mostRequests)
    }

    static func glitchtip(_ configuration: GlitchtipConfiguration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: nil,
            limitSource: "GlitchTip documents no number; Retry-After is heeded", rights: sentryRights,
            mostRequests: configuration.mostRequests)
    }

    static func bugsink(_ configuration: BugsinkConfiguration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: nil,
            limitSource: "Bugsink has no limit on reading",
            rights: ["reading projects", "reading issues", "reading events", "reading releases"],
            mostRequests: configuration.mostRequests)
    }

    static func crashlytics(_ configuration: CrashlyticsConfiguration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: nil,
            limitSource: "Firebase Crashlytics API, v1alpha: no number is documented",
            rights: CrashlyticsProvider.service.rights, mostRequests: configuration.mostRequests)
    }

    static func play(_ configuration: PlayConfiguration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: RateLimit(10, perSeconds: 1),
            limitSource:
                "Google Play Developer Reporting API, usual quota: 10 queries a second for a project",
            rights: PlayProvider.service.rights, mostRequests: configuration.mostRequests)
    }

    static func analytics(_ configuration: Ga4Configuration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: nil,
            limitSource:
                "Google Analytics Data API, quotas: counts tokens (40,000 an hour for a property), not requests",
            rights: Ga4Provider.service.rights, mostRequests: configuration.mostRequests)
    }

    static func appStoreConnect(_ configuration: AppStoreConnectConfiguration) -> ServiceTerms {
        ServiceTerms(
            origin: configuration.base.origin, limit: RateLimit(3600, perSeconds: 3600),
            limitSource: "App Store Connect API, rate limits: for a key and an hour, told as X-Rate-Limit",
            rights: configuration.createsReportRequest ? ["Admin"] : ["Sales and Reports"],
            mostRequests: configuration.mostRequests)
    }

    static func socorro(_ configuration: SocorroConfiguration) -> ServiceTerms {
        let hasToken = configuration.token != nil
        return ServiceTerms(
            origin: configuration.base.origin, limit: RateLimit(hasToken ? 1000 : 100, perSeconds: 60),
            limitSource: "Socorro's settings: 100 requests a minute for an address, 1,000 with a token",
            rights: [], mostRequests: configuration.mostRequests)
    }
}

/// What Sentry and GlitchTip call them.
private let sentryRights = ["org:read", "project:read", "event:read"]
