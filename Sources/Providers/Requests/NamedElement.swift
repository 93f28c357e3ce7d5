import Diagnostics
import Transport

/// An element of a list that a configuration may name: a project, an organization.
struct NamedElement<Value> {
    var id: String?
    var slug: String?
    var name: String?
    var value: Value
}

extension ServiceClient {
    /// The one with this id; otherwise with this slug; otherwise with this name.
    ///
    /// - Parameter what: What it is, in the singular: `project`.
    func element<Value>(
        called wanted: String, what: String, in all: [NamedElement<Value>], at location: Location? = nil
    ) throws(ServiceFault) -> Value {
        let tiers = [
            all.filter { $0.id == wanted }, all.filter { $0.slug == wanted },
            all.filter { $0.name == wanted },
        ]
        guard let found = tiers.first(where: { !$0.isEmpty }), let first = found.first else {
            let known = Set(
                all.compactMap { [$0.slug, $0.name].compactMap(\.self).first { !$0.isEmpty } })
            throw fault(.notFound(what: what, name: wanted, among: known.sorted(), at: location))
        }
        // A list that moves while its pages are read may show one twice.
        guard Set(found.map(\.id)).count == 1 else {
            let choices = found.map { [$0.slug, $0.id].compactMap(\.self).first { !$0.isEmpty } ?? "" }
            throw fault(.ambiguous(what: what, name: wanted, choices: choices))
        }
        return first.value
    }
}
