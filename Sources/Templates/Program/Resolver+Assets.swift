import Diagnostics
import Markup

/// The addresses of assets: they are known when a template is loaded and become part of its text.
extension Resolver {
    /// Writes the address of `{{asset.…}}`; false when the name is that of a field.
    mutating func resolveAsset(
        _ name: Name, isRaw: Bool, in place: Surroundings, into body: inout RoutineCode
    ) -> Bool {
        guard let assets = library.assets, name.parts.first == "asset" else { return false }
        let asset = name.parts.dropFirst().joined(separator: ".")
        guard let address = assets.addresses[asset] else {
            let names = assets.addresses.keys.sorted()
            let problem = TemplateProblem.missingAsset(
                asset, nearest: nearestName(to: asset, among: names), available: Array(names.prefix(40)),
                lookedIn: assets.places(asset))
            report(problem, at: name, in: place)
            return true
        }
        if isRaw {
            report(.rawText(name.text), at: name, in: place)
            return true
        }
        var writer = ByteWriter()
        writer.append(address: address, escapedFor: language)
        body.append(literal: writer.text, to: &code.literals)
        return true
    }
}
