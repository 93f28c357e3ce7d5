import AppHealth
import Configuration
import Diagnostics
import Foundation
import Publishing
import Settings
import Site
import Transport

/// A publish target that is ready for use, or the reason why it is not.
struct TargetJob: Sendable {
    /// Its name.
    let id: String
    /// Its kind.
    let kind: String
    /// The most files that one publication removes, in percent.
    let mostRemoved: Int
    /// Whether everybody may read what is there.
    let isPublic: Bool
    let target: Result<any Target, Diagnostic>
}

extension Project {
    /// The publish targets with these names, in the order of the configuration; all of them without names.
    ///
    /// - Throws: a name that no target has.
    func targetJobs(_ names: [String] = []) throws(Diagnostic) -> [TargetJob] {
        let known = configuration.publish.map(\.id.text)
        if let odd = names.first(where: { !known.contains($0) }) {
            let near = nearestName(to: odd, among: known).map { "did you mean '\($0)'?" }
            throw .usage(
                "publish.unknown-target", "Unknown publish target '\(odd)'",
                hints: [near ?? "use one of: \(known.joined(separator: ", "))"])
        }
        return configuration.publish.filter { names.isEmpty || names.contains($0.id.text) }.map { place in
            TargetJob(
                id: place.id.text, kind: place.schema.name, mostRemoved: place.mostRemoved,
                isPublic: place.isPublic,
                target: Result { () throws(Diagnostic) in try target(place) })
        }
    }

    private func target(_ place: TargetConfiguration) throws(Diagnostic) -> any Target {
        do throws(Diagnostic) {
            let setup = try setup(of: place.block)
            guard let descriptor = standardTargets.first(where: { $0.name == place.schema.name }) else {
                throw .error("config.target", "Publish target '\(place.id)' cannot be used")
            }
            return try descriptor.make(setup)
        } catch {
            var diagnostic = error
            diagnostic.location = diagnostic.location ?? place.location
            throw diagnostic
        }
    }

    /// Everything that a place of the configuration is made from: its secrets are read, its paths absolute.
    func setup(of block: BlockConfiguration) throws(Diagnostic) -> TargetSetup {
        try checkFiles(of: block.trust, at: block.location)
        var setup = TargetSetup(
            id: block.id.text, values: try values(of: block), folder: absolutePath(folder),
            environment: environment, retries: retryPolicy
        ) { origin in client(for: block.trust, at: origin) }
        setup.timeoutMilliseconds = configuration.timeoutSeconds * 1000
        setup.authority = block.trust.certificateAuthority.map(path)
        return setup
    }

    /// A client that trusts as a target does.
    private func client(for trust: TrustConfiguration, at origin: Origin) -> Client {
        var options = Client.Options(version: programVersion)
        options.transfersPerHost = 8
        options.authorities[origin] = trust.certificateAuthority.map(path)
        if let own = trust.clientCertificate, let certificate = try? certificate(own, for: origin) {
            options.clientCertificates.append(certificate)
        }
        return Client(options)
    }

    /// The values of a target, secrets read and paths counted from the folder of the configuration.
    private func values(of place: BlockConfiguration) throws(Diagnostic) -> [String: TargetSetup.Value] {
        var values: [String: TargetSetup.Value] = [:]
        for key in place.schema.keys {
            switch place.settings.values[key.name] {
            case .text(let text)?: values[key.name] = .text(try value(of: text, key.kind, at: place.location))
            case .flag(let flag)?: values[key.name] = .flag(flag)
            case .secret(let reference)?:
                values[key.name] = .secret(try secret(reference, at: place.location))
            case .names?, nil: continue
            }
        }
        return values
    }

    private func value(
        of text: String, _ kind: SettingKey.Kind, at location: Location
    ) throws(Diagnostic) -> String {
        switch kind {
        case .path: absolutePath(path(text))
        case .textOrVariable: try variable(in: text, at: location)
        default: text
        }
    }
}

/// The built site of a project.
///
/// - Throws: when there is none.
func builtSite(_ project: Project) throws(Diagnostic) -> SiteFolder {
    let kept = OutputPolicy.alwaysKept.filter { $0 != ".git" } + project.configuration.keep
    return try SiteFolder(absolutePath(project.output), kept: kept)
}

/// Whether a site hides nothing, so that it is for the team; by what the site itself says.
func isForTeam(_ site: SiteFolder) -> Bool {
    struct Status: Decodable { let leavesOut: [String] }
    guard let file = site.files.first(where: { $0.path == siteMarker }),
        let bytes = try? site.bytes(of: file),
        let status = try? JSONDecoder().decode(Status.self, from: Data(bytes))
    else { return true }
    return status.leavesOut.isEmpty
}
