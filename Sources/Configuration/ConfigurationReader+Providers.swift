extension YAMLFile {
    mutating func bugsnag(_ keys: [String: YAMLValue], _ value: YAMLValue) -> BugsnagSettings? {
        let project = required("project", keys, value)
        let token = credential("token", of: .bugsnag, keys, value)
        guard let project, let token else { return nil }
        return BugsnagSettings(
            project: project, organization: text(keys["organization"]),
            releaseStage: text(keys["releaseStage"]) ?? "production", url: text(keys["url"]), token: token)
    }

    mutating func sentry(
        _ kind: ProviderKind, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> SentrySettings? {
        let organization = required("organization", keys, value)
        let project = required("project", keys, value)
        let token = credential("token", of: kind, keys, value)
        guard let organization, let project, let token else { return nil }
        return SentrySettings(
            organization: organization, project: project, environment: text(keys["environment"]),
            url: text(keys["url"]), token: token)
    }

    mutating func bugsink(_ keys: [String: YAMLValue], _ value: YAMLValue) -> BugsinkSettings? {
        let project = required("project", keys, value)
        let url = required("url", keys, value)
        let token = credential("token", of: .bugsink, keys, value)
        guard let project, let url, let token else { return nil }
        return BugsinkSettings(project: project, url: url, token: token)
    }

    mutating func crashlytics(_ keys: [String: YAMLValue], _ value: YAMLValue) -> CrashlyticsSettings? {
        let app = required("app", keys, value)
        let account = credential("account", of: .crashlytics, keys, value)
        guard let app, let account else { return nil }
        return CrashlyticsSettings(
            app: app, project: text(keys["project"]), url: text(keys["url"]), account: account)
    }

    mutating func play(_ keys: [String: YAMLValue], _ value: YAMLValue) -> PlaySettings? {
        let name = required("package", keys, value)
        let account = credential("account", of: .play, keys, value)
        let measure = choice(keys["measure"], of: PlaySettings.Measure.self) ?? .crashes
        guard let name, let account else { return nil }
        return PlaySettings(package: name, measure: measure, url: text(keys["url"]), account: account)
    }

    mutating func analytics(_ keys: [String: YAMLValue], _ value: YAMLValue) -> AnalyticsSettings? {
        let property = required("property", keys, value)
        let account = credential("account", of: .ga4, keys, value)
        guard let property, let account else { return nil }
        return AnalyticsSettings(
            property: property, stream: text(keys["stream"]), url: text(keys["url"]), account: account)
    }

    mutating func socorro(_ keys: [String: YAMLValue], _ value: YAMLValue) -> SocorroSettings? {
        guard let product = required("product", keys, value) else { return nil }
        return SocorroSettings(product: product, url: text(keys["url"]), token: secret("token", keys))
    }

    mutating func appStoreConnect(
        _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> AppStoreConnectSettings? {
        let app = required("app", keys, value)
        let issuer = required("issuer", keys, value)
        let keyID = required("keyId", keys, value)
        let key = credential("key", of: .appstoreconnect, keys, value)
        let creates = flag(keys["createReportRequest"]) ?? false
        guard let app, let issuer, let keyID, let key else { return nil }
        return AppStoreConnectSettings(
            app: app, issuer: issuer, keyID: keyID, createsReportRequest: creates, url: text(keys["url"]),
            key: key)
    }
}
