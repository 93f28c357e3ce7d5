import AppHealth
import Diagnostics
import Foundation
import Settings
import Transport

/// Throws when a text is not the name of a time zone that may be part of a query.
func checkWarehouseZone(_ zone: String, provider: String) throws(Diagnostic) {
    let isPlain = zone.utf8.allSatisfy { byte in
        Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
            || "_+-/".utf8.contains(byte)
    }
    guard isPlain, TimeZone(identifier: zone) != nil else {
        throw .error(
            "\(provider).zone", "Unknown time zone '\(printable(String(zone.prefix(60))))'",
            hints: ["write a name such as Europe/Berlin"])
    }
}

extension Origin {
    /// Throws when a credential would go to another machine without TLS and that is not allowed.
    func checkTLS(
        _ what: String, isPlainAllowed: Bool, provider: String
    ) throws(Diagnostic) {
        let isHere = host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
        guard scheme != .https, !isHere, !isPlainAllowed else { return }
        throw .error(
            "\(provider).plain-http", "The \(what) would go to \(host) without TLS",
            hints: ["use https://", "set 'plainHTTP: true' in a private network"])
    }
}

extension SettingValues {
    /// Throws when the zone or the URL of a warehouse cannot be used.
    func checkWarehouse(_ credential: String, provider: String) throws {
        if let zone = text("zone") { try checkWarehouseZone(zone, provider: provider) }
        guard let url = text("url") else { return }
        try Address(url).origin.checkTLS(
            credential, isPlainAllowed: values["plainHTTP"] == .flag(true), provider: provider)
    }
}

extension Set<WarehouseQuery> {
    /// What the queries give.
    var capabilities: Set<Capability> {
        let given: [(WarehouseQuery, Capability)] = [
            (.days, .sessions), (.days, .users), (.releaseDays, .releaseHealth), (.releases, .releases),
            (.issues, .issues), (.hours, .hours), (.usage, .usage),
        ]
        var capabilities = Set<Capability>(given.filter { contains($0.0) }.map(\.1))
        if isSuperset(of: [.issues, .issueDays]) { capabilities.insert(.issueDays) }
        return capabilities
    }
}

extension Set<Capability> {
    /// Whether the hours of sessions show that a day is not loaded to its end, so that it is not stated.
    var showCutDays: Bool { isSuperset(of: [.sessions, .hours]) }
}
