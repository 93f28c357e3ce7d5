package import AppHealth

/// Which place a project means by the name of a target: two projects may keep one archive, and what one of them sent is
/// not what the other's place has.
package struct AttachedPlace: Sendable, Equatable {
    /// A digest of where the configuration is, seen from the archive: it stays when an address changes.
    fileprivate let project: String
    /// A digest of the address.
    fileprivate let address: String

    /// Makes it.
    package init(of target: any AttachTarget, in project: String) {
        (self.project, address) = (digest(project), digest(target.address))
    }

    private static let prefix = "place "

    /// The step that notes it.
    package func entry(of target: String, at instant: Instant) -> AttachmentEntry {
        let key = AttachmentKey(
            target: target, kind: .release, app: "", subject: AttachmentKey.anySubject,
            audience: Self.prefix + project)
        return AttachmentEntry(key: key, state: .begun, content: address, gist: "", at: instant)
    }

    /// Reads it from a step; nil when that is one of a summary.
    fileprivate init?(_ step: AttachmentEntry) {
        let key = step.key
        guard key.kind == .release, key.app.isEmpty, key.subject == AttachmentKey.anySubject,
            key.audience.hasPrefix(Self.prefix)
        else { return nil }
        (project, address) = (String(key.audience.dropFirst(Self.prefix.count)), step.content)
    }
}

/// The addresses that a name has, by projects.
struct AttachedPlaces: Sendable {
    private var addresses: [String: String] = [:]

    /// Takes in a step when it notes a place.
    ///
    /// - Returns: whether it does.
    mutating func take(_ step: AttachmentEntry) -> Bool {
        guard let place = AttachedPlace(step) else { return false }
        addresses[place.project] = place.address
        return true
    }

    func knows(_ place: AttachedPlace) -> Bool { addresses[place.project] == place.address }

    /// Whether only other projects have the name, for other addresses. One whose own address changed goes on, and so
    /// does one that moved.
    func isAnother(_ place: AttachedPlace) -> Bool {
        !addresses.isEmpty && addresses[place.project] == nil && !addresses.values.contains(place.address)
    }
}
