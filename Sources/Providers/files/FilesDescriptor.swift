import AppHealth
import Diagnostics
import Transport

extension ProviderDescriptor {
    /// Snapshot files that anything may write.
    package static let files = ProviderDescriptor(
        SourceSchema(
            "files", title: "Snapshot files",
            summary: "Snapshot files that your own job writes",
            keys: [
                .required(
                    "path", .pathOrURL, example: "data", "a folder, a file or an https URL of snapshots"),
                .optional("token", .secret(.variable), example: "FILES_TOKEN", "a bearer token, for a URL"),
            ]),
        capabilities: Set(Capability.allCases),
        limitSource: "files have no limit", delay: "As each file states it."
    ) { setup in
        var configuration = try FilesConfiguration(setup.required("path"), id: setup.id)
        configuration.limits = setup.limits
        if case .path(_, let shown)? = setup.values["path"] { configuration.shownAs = shown }
        guard let token = setup.secret("token") else {
            return FilesProvider(configuration, sender: setup.sender, shelf: setup.shared.files)
        }
        guard case .address(let address) = configuration.place else {
            throw Diagnostic.error(
                "config.needless-token", "Token given for local files",
                hints: ["remove the token, or use an https URL as 'path'"])
        }
        let authenticated = try AuthenticatedClient(
            setup.sender, origin: address.origin, credential: .bearer(token.headerValue()))
        return FilesProvider(configuration, sender: authenticated)
    }
}
