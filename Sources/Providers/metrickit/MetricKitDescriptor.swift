import AppHealth

extension ProviderDescriptor {
    /// MetricKit payloads of Apple's systems.
    package static let metrickit = ProviderDescriptor(
        SourceSchema(
            "metrickit", title: "MetricKit", summary: "MetricKit payloads that an app sent home",
            keys: [
                .required("path", .path, example: "payloads", "a folder or a file of MetricKit payloads")
            ],
            usesTLS: false),
        capabilities: [.issues, .issueDays], limitSource: "files have no limit",
        delay: """
            A device delivers once a day, crashes when the app is opened next; only devices that share diagnostics \
            deliver. An event counts on the day in which the middle of its payload's span lies.
            """
    ) { setup in
        var configuration = MetricKitConfiguration(path: try setup.required("path"), id: setup.id)
        configuration.limits = setup.limits
        if case .path(_, let shown)? = setup.values["path"] { configuration.shownAs = shown }
        return MetricKitProvider(configuration, sender: setup.sender)
    }
}
