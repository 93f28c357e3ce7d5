import Configuration
import Diagnostics
import Providers

extension Project {
    /// What is wrong with the sources that are still asked, by the configuration alone. Secrets, variables and files that
    /// are missing are no such faults: they may come, and are failures of their source until then.
    var sourceFaults: [Diagnostic] {
        configuration.apps.flatMap { app in askedSources(of: app).compactMap(fault) }
    }

    private func fault(of source: SourceConfiguration) -> Diagnostic? {
        let provider = ProviderList.all.first { $0.name == source.provider }
        guard var fault = provider?.fault(of: source.settings) else { return nil }
        fault.location = source.location
        fault.gravity = .usage
        return fault
    }
}
