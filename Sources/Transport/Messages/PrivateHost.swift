import Platform

extension Origin {
    /// Whether the host names this machine or a network that only its members reach, as far as it shows
    /// without looking the name up.
    var isPrivate: Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") { return true }
        return isPrivateAddress(name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name)
    }
}

/// Whether a numeric address is of this machine, of the link or of a private network; false for names.
///
/// After the special-purpose address registries (RFC 6890 and its updates): whatever is not globally reachable.
func isPrivateAddress(_ text: String) -> Bool {
    let text = String(text.prefix { $0 != "%" })
    var four = in_addr()
    if unsafe inet_pton(AF_INET, text, &four) == 1 { return isPrivate(UInt32(bigEndian: four.s_addr)) }
    var six = in6_addr()
    guard unsafe inet_pton(AF_INET6, text, &six) == 1 else { return false }
    return isPrivate(unsafe withUnsafeBytes(of: &six) { unsafe Array($0) })
}

private func isPrivate(_ address: UInt32) -> Bool {
    func isIn(_ network: UInt32, _ bits: UInt32) -> Bool { address >> (32 - bits) == network >> (32 - bits) }
    return isIn(0, 8) || isIn(0x0A00_0000, 8) || isIn(0x6440_0000, 10) || isIn(0x7F00_0000, 8)
        || isIn(0xA9FE_0000, 16) || isIn(0xAC10_0000, 12) || isIn(0xC000_0000, 24) || isIn(0xC0A8_0000, 16)
        || isIn(0xC612_0000, 15) || address >= 0xE000_0000
}

private func isPrivate(_ address: [UInt8]) -> Bool {
    let last = address[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let isZero = address[..<10].allSatisfy { $0 == 0 }
    // ::, ::1, IPv4 as it is written in IPv6, and behind a translator (64:ff9b::/96).
    if isZero, address[10] == 0, address[11] == 0 { return last < 2 || isPrivate(last) }
    if isZero, address[10] == 0xFF, address[11] == 0xFF { return isPrivate(last) }
    if address[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isPrivate(last) }
    return address[0] & 0xFE == 0xFC || (address[0] == 0xFE && address[1] & 0x80 == 0x80)
        || address[0] == 0xFF
}
