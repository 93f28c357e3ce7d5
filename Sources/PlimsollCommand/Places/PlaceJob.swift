import AppHealth
import Configuration
import Diagnostics
import Publishing
import Settings
import Transport

/// A target that the site is published to or summaries are attached to, ready for use, or the reason why it is not.
struct PlaceJob<Target: Sendable>: Sendable {
    /// Its name.
    let id: String
    /// Its kind.
    let kind: String
    /// The target.
    let target: Result<Target, Diagnostic>
    /// What its service says of the time.
    let clock: ServiceClock
}

extension Project {
    /// Those of the targets with these names, in the order of the configuration; all of them without names.
    ///
    /// - Parameter verb: what is done with them, as their messages are called.
    /// - Throws: a name that no target has.
    func chosen<Place>(
        _ names: [String], of places: [Place], to verb: String, block: (Place) -> BlockConfiguration
    ) throws(Diagnostic) -> [Place] {
        let known = places.map { block($0).id.text }
        if let odd = names.first(where: { !known.contains($0) }) {
            throw .usage(
                "\(verb).unknown-target", "Unknown \(verb) target '\(odd)'",
                hints: [nameHint(for: odd, among: known)])
        }
        return places.filter { names.isEmpty || names.contains(block($0).id.text) }
    }

    /// What is made from a target of the configuration by the kind that it names.
    func job<Kind: PlaceDescriptor>(_ block: BlockConfiguration, of kinds: [Kind]) -> PlaceJob<Kind.Made>
    where Kind.Made: Sendable {
        let clock = ServiceClock()
        let target = Result { () throws(Diagnostic) in try made(block, of: kinds, clock) }
        return PlaceJob(id: block.id.text, kind: block.schema.name, target: target, clock: clock)
    }

    private func made<Kind: PlaceDescriptor>(
        _ block: BlockConfiguration, of kinds: [Kind], _ clock: ServiceClock
    ) throws(Diagnostic) -> Kind.Made {
        do throws(Diagnostic) {
            guard let kind = kinds.first(where: { $0.name == block.schema.name }) else {
                throw .error("config.target", "Target '\(block.id)' cannot be used")
            }
            return try kind.make(try setup(of: block, clock))
        } catch {
            var diagnostic = error
            diagnostic.location = diagnostic.location ?? block.location
            throw diagnostic
        }
    }

    /// Everything that a place of the configuration is made from: its secrets are read, its paths absolute.
    private func setup(
        of block: BlockConfiguration, _ clock: ServiceClock
    ) throws(Diagnostic) -> TargetSetup {
        try checkFiles(of: block.trust, at: block.location)
        var setup = TargetSetup(
            id: block.id.text, values: try values(of: block), folder: absolutePath(folder),
            environment: environment, retries: retryPolicy
        ) { origin in ClockSender(client(for: block.trust, at: origin), clock) }
        setup.project = [configuration.url ?? "", configuration.title].joined(separator: "\n")
        setup.timeoutMilliseconds = configuration.timeoutSeconds * 1000
        setup.authority = block.trust.certificateAuthority.map(path)
        if let own = block.trust.clientCertificate { setup.certificate = try certificate(own) }
        return setup
    }

    /// A client that trusts as a target does.
    private func client(for trust: TrustConfiguration, at origin: Origin) -> Client {
        var options = Client.Options(version: programVersion)
        options.transfersPerHost = 8
        options.authorities[origin] = trust.certificateAuthority.map(path)
        options.clientCertificates[origin] = trust.clientCertificate.flatMap { try? certificate($0) }
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
