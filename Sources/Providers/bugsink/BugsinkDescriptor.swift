import AppHealth

extension ProviderDescriptor {
    /// Bugsink through its canonical API.
    package static let bugsink = ProviderDescriptor(
        SourceSchema(
            "bugsink", title: "Bugsink", summary: "The issues of a project of a Bugsink server",
            keys: [
                .required("project", example: "my-app", "slug, name or id of the project"),
                .required("url", example: "https://host", "URL of the server"),
                .required("token", .secret(.variable), example: "BUGSINK_TOKEN", "an auth token"),
            ]),
        capabilities: [.releases, .issues, .issueDays, .notes],
        permissions: ["reading projects", "reading issues", "reading events", "reading releases"],
        limitSource: "Bugsink has no limit on reading",
        delay: "None; an event counts in the hour in which it was digested."
    ) { setup in
        var configuration = try BugsinkConfiguration(
            project: setup.required("project"), token: setup.token(), base: setup.required("url"),
            id: setup.id)
        configuration.limits = setup.limits
        return try BugsinkProvider(configuration, sender: setup.sender)
    }
}
